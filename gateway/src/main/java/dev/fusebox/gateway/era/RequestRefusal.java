package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The refusal of a modern request that is not passed on. Immutable.
///
/// @param code of the error
/// @param message what was found and what is expected
/// @param data JSON for programs; null if there is none
record RequestRefusal(int code, String message, @Nullable String data) {
    static final int HEADER_MISMATCH = -32_020;
    static final int UNSUPPORTED_VERSION = -32_022;

    /// The supported revision of the modern era.
    static final String REVISION = "2026-07-28";

    static RequestRefusal headerMismatch(String message) {
        return new RequestRefusal(HEADER_MISMATCH, "Header mismatch: " + message, null);
    }

    /// @param supported revisions that a client may try instead
    static RequestRefusal unsupported(String requested, List<String> supported) {
        JsonWriter data = new JsonWriter().beginObject().name("supported").beginArray();
        supported.forEach(data::string);
        data.endArray().name("requested").string(requested);
        return new RequestRefusal(
                UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                data.endObject().toString());
    }

    byte[] frame(Message.Request request) {
        return JsonRpcFrames.error(request.id(), code, message, data);
    }
}
