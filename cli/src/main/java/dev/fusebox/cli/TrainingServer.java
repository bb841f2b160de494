package dev.fusebox.cli;

import dev.fusebox.protocol.JsonWriter;

/// The server of a [TrainingRun], a shell script that answers every request with an empty result and lists many
/// tools, so that it needs nothing on this machine but a shell.
final class TrainingServer {
    private static final int TOOLS = 500;

    private static final String SCRIPT = """
            said='"description":"Reads files in which a project keeps what it needs. Gives their contents as text."'
            takes='"inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"where it is"}}}'
            while IFS= read -r line; do
                case $line in
                    *'"id":'*)
                        id=${line#*'"id":'}
                        printf '{"jsonrpc":"2.0","id":%s,"result":{' "${id%%[,\\}]*}"
                        case $line in
                            *'"initialize"'*)
                                printf '"protocolVersion":"2025-06-18","capabilities":{"tools":{}},'
                                printf '"serverInfo":{"name":"training","version":"1"}'
                                ;;
                            *'"tools/list"'*)
                                printf '"tools":[{"name":"first",%s,%s}' "$said" "$takes"
                                number=1
                                while [ $number -lt COUNT ]; do
                                    printf ',{"name":"read_file%s",%s,%s}' $number "$said" "$takes"
                                    number=$((number + 1))
                                done
                                printf ']'
                                ;;
                        esac
                        printf '}}\\n'
                        ;;
                esac
            done
            """.replace("COUNT", Integer.toString(TOOLS));

    /// Its configuration entry, in which the shell's variables are not the configuration's.
    static final String ENTRY =
            "{\"command\":\"sh\",\"args\":[\"-c\"," + JsonWriter.quoted(SCRIPT.replace("${", "$${")) + "]}";

    private TrainingServer() {}
}
