package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;

/// Formatting of a log line as text or JSON. Stateless.
final class LogLine {
    private LogLine() {}

    /// The text form: `2026-11-22T05:06:07Z [jira] text`.
    static String words(JsonView line) {
        String server = line.string("server");
        String from = server == null ? "" : "[" + server + "] ";
        return OutputText.plain(line.string("at") + " " + from + line.string("text"));
    }

    static long number(JsonView line) {
        JsonView number = line.member("number");
        return number == null ? 0 : Long.parseLong(number.json());
    }

    /// A line from a log file.
    static String json(String line) {
        return new JsonWriter()
                .beginObject()
                .name("text")
                .string(line)
                .endObject()
                .toString();
    }
}
