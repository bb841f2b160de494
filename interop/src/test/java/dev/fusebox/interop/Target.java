package dev.fusebox.interop;

import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Map;

/// The target of an official SDK client, as passed to the test scripts. Immutable.
record Target(String json) {

    /// A process that the client starts.
    static Target of(List<String> command, Map<String, String> env) {
        JsonWriter target = new JsonWriter().beginObject().name("command").beginArray();
        command.forEach(target::string);
        target.endArray().name("env").beginObject();
        env.forEach((name, value) -> target.name(name).string(value));
        return new Target(
                target.endObject().name("transport").string("stdio").endObject().toString());
    }

    /// Something that listens for Streamable HTTP.
    static Target http(String url) {
        return listening(url, "http");
    }

    /// Something that listens for HTTP with server-sent events, as of revision 2024-11-05.
    static Target sse(String url) {
        return listening(url, "sse");
    }

    private static Target listening(String url, String transport) {
        JsonWriter target = new JsonWriter().beginObject().name("url").string(url);
        return new Target(target.name("transport").string(transport).endObject().toString());
    }
}
