package dev.fusebox.gateway.admin;

import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;

/// The JSON form of log lines. Pure functions.
final class LogLinesJson {
    private LogLinesJson() {}

    static JsonWriter of(List<LogBuffer.Entry> entries) {
        JsonWriter json = new JsonWriter().beginObject().name("lines").beginArray();
        for (LogBuffer.Entry entry : entries) {
            json.beginObject().name("number").number(entry.number());
            json.name("at").string(entry.at().toString());
            if (!entry.writer().equals(LogBuffer.OWN)) {
                json.name("server").string(entry.writer());
            }
            json.name("text").string(entry.text()).endObject();
        }
        return json.endArray().endObject();
    }
}
