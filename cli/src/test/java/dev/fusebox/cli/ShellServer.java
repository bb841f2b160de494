package dev.fusebox.cli;

/// The script of a server in a shell: it has one tool, and answers whatever it does not know with an error.
final class ShellServer {
    private static final String SCRIPT = """
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              rest=${line#*'"id":'}
              answer='"error":{"code":-32601,"message":"unknown"}'
              case $line in
                *'"initialize"'*)
                  answer='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                  answer=$answer'"serverInfo":{"name":"s","version":"1"}}' ;;
                *'"ping"'*) answer='"result":{}' ;;
                *'"tools/list"'*) answer='"result":{"tools":[{"name":"TOOL","inputSchema":{"type":"object"}}]}' ;;
            OTHERS
              esac
              printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "${rest%%[,\\}]*}" "$answer"
            done
            """;

    private ShellServer() {}

    /// @param others cases for further messages, as `case` of the shell has them
    static String script(String tool, String... others) {
        return SCRIPT.replace("TOOL", tool).replace("OTHERS\n", String.join("", others));
    }
}
