package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Factory of JSON-RPC messages. Each is on one line, as stdio requires. Thread-safe; never blocks.
public final class JsonRpcFrames {
    private JsonRpcFrames() {}

    public static byte[] request(RequestId id, String method, @Nullable String params) {
        return bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + ",\"method\":" + JsonWriter.quoted(method)
                + (params == null ? "" : ",\"params\":" + params) + "}");
    }

    public static byte[] notification(String method, @Nullable String params) {
        return bytes("{\"jsonrpc\":\"2.0\",\"method\":" + JsonWriter.quoted(method)
                + (params == null ? "" : ",\"params\":" + params) + "}");
    }

    public static byte[] result(RequestId id, String result) {
        return bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + ",\"result\":" + result + "}");
    }

    /// An error response.
    ///
    /// @param id the request's id; null if it could not be read
    /// @param data JSON with details; null if there are none
    public static byte[] error(@Nullable RequestId id, int code, String message, @Nullable String data) {
        return bytes("{\"jsonrpc\":\"2.0\",\"id\":" + (id == null ? "null" : id.json()) + ",\"error\":{\"code\":" + code
                + ",\"message\":" + JsonWriter.quoted(message) + (data == null ? "" : ",\"data\":" + data) + "}}");
    }

    /// The same message without line ends. Outside of strings they are white space, and strings contain none, so
    /// replacing each by a space changes nothing. Works on the array itself.
    public static byte[] onOneLine(byte[] frame) {
        for (int i = 0; i < frame.length; i++) {
            if (frame[i] == '\n' || frame[i] == '\r') {
                frame[i] = ' ';
            }
        }
        return frame;
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
