package dev.fusebox.peers;

import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Map;

/// What a client of the official SDK connects to, as our scripts are told. Immutable.
record Target(String json) {

    /// A process that the client starts.
    static Target of(List<String> command, Map<String, String> env) {
        JsonWriter target = new JsonWriter().beginObject().name("command").beginArray();
        command.forEach(target::string);
        target.endArray().name("env").beginObject();
        env.forEach((name, value) -> target.name(name).string(value));
        return new Target(target.endObject().endObject().toString());
    }

    /// Something that listens.
    static Target of(String url) {
        return new Target("{\"url\":" + JsonWriter.quoted(url) + "}");
    }

    /// Something that listens, and speaks HTTP with SSE as of revision 2024-11-05.
    static Target ofEvents(String url) {
        return new Target("{\"events\":" + JsonWriter.quoted(url) + "}");
    }
}
