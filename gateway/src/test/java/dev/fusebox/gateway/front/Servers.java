package dev.fusebox.gateway.front;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.ScriptedFault;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.nio.file.Path;
import java.util.List;

/// Test servers: scripted ones, and light ones of a few lines.
final class Servers {
    /// Answers everything with one result that also serves as that of a handshake. Ends with its input.
    private static final String LIGHT = """
            while IFS= read -r line; do
              case $line in *'"id":'*)
                rest=${line#*'"id":'}
                printf '{"jsonrpc":"2.0","id":%s,"result":{' "${rest%%[,\\}]*}"
                printf '"protocolVersion":"2025-11-25","capabilities":{},"content":[],'
                printf '"serverInfo":{"name":"light","version":"1"}}}\\n' ;;
              esac
            done
            """;

    /// The common prefix of the Python servers: `read` returns the complete lines available, `ident` the id of a
    /// frame and `text` its text, as bytes, `say` writes.
    static final String PYTHON = """
            import os
            rest = b''
            def read():
                global rest
                while True:
                    got = os.read(0, 1 << 16)
                    if not got: os._exit(0)
                    lines = (rest + got).split(b'\\n')
                    rest = lines.pop()
                    if lines: return lines
            def between(line, begin, ends):
                at = line.find(begin)
                if at < 0: return b''
                at += len(begin)
                end = at
                while end < len(line) and line[end] not in ends: end += 1
                return line[at:end]
            def ident(line): return between(line, b'"id":', b',}')
            def text(line): return between(line, b'"text":"', b'"')
            def say(out):
                while out: out = out[os.write(1, out):]
            WELCOME = (b'"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"},'
                       b'"supportedVersions":["2026-07-28"],"resultType":"complete"')
            def answer(id, text):
                content = b',"content":[{"type":"text","text":"' + text + b'"}]'
                return b'{"jsonrpc":"2.0","id":' + id + b',"result":{' + WELCOME + content + b'}}\\n'
            """;

    private Servers() {}

    static ChildSpec scripted(ServerScript script) {
        return command(ScriptedServer.stdio(script));
    }

    /// With these faults, each in command-line syntax: `hang@3`.
    static ChildSpec faulty(String... faults) {
        return faulty(ServerScript.faultless(), faults);
    }

    /// The same, with a journal of executed calls.
    static ChildSpec noting(Path journal, String... faults) {
        return faulty(ServerScript.faultless().withJournal(journal), faults);
    }

    private static ChildSpec faulty(ServerScript faultless, String... faults) {
        ServerScript script = faultless;
        for (String fault : faults) {
            script = script.with(ScriptedFault.parse(fault));
        }
        return scripted(script);
    }

    static ChildSpec command(List<String> command) {
        return ChildSpec.of(
                command.getFirst(), command.subList(1, command.size()).toArray(String[]::new));
    }

    static ChildSpec sh(String script, String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "-c";
        all[1] = script;
        all[2] = "server";
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return ChildSpec.of("/bin/sh", all);
    }

    /// Starts in a few milliseconds with little memory.
    static ChildSpec light() {
        return sh(LIGHT);
    }

    /// Python without its site packages: starts in some ten milliseconds.
    static ChildSpec python(String script, String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "-S";
        all[1] = "-E";
        all[2] = "-c";
        all[3] = PYTHON + script;
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return ChildSpec.of("python3", all);
    }

    /// Answers with the text that it is sent.
    static ChildSpec echo() {
        return python("""
                while True:
                    say(b''.join(answer(ident(l), text(l)) for l in read() if ident(l)))
                """);
    }
}
