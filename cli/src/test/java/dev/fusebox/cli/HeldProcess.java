package dev.fusebox.cli;

import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The test kit's server as a process that records its input in a file, and stops reading after a call with `held`
/// until the test releases it. Immutable.
record HeldProcess(Path note) {
    /// Calls that are held are calls of `echo`.
    static final String HELD = "{\"text\":\"held\"}";

    private static final String SCRIPT = """
            tee -a "$0" | while IFS= read -r line; do
              case $line in *'"held"'*) while [ ! -e "$0.go" ]; do sleep 0.02; done ;; esac
              printf '%s\\n' "$line"
            done | "$@"
            """;

    /// As members of a server in a configuration.
    String members(ServerScript script) {
        JsonWriter args = new JsonWriter().beginArray();
        args.string("-c").string(SCRIPT).string(note.toString());
        ScriptedServer.stdio(script).forEach(args::string);
        return "\"command\":\"sh\",\"args\":" + args.endArray();
    }

    /// How many lines with this word it was sent.
    long count(String word) {
        try (var lines = Files.lines(note)) {
            return lines.filter(line -> line.contains(word)).count();
        } catch (IOException none) {
            return 0;
        }
    }

    /// Calls that it has got and that are to be held.
    long held() {
        return count("\"held\"");
    }

    void let() {
        try {
            Files.createFile(note.resolveSibling(note.getFileName() + ".go"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
