package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// HTTP error response to a request: whether its body nevertheless contains a JSON-RPC response, and whether it
/// means that the session is lost. Immutable.
final class ErrorResponse {
    /// Enough to find a message in it.
    private static final int MAX_BODY_BYTES = 64 << 10;

    private final StreamingResponse streamingResponse;
    private final long id;
    private final byte[] body;
    private final @Nullable Message message;

    private ErrorResponse(StreamingResponse streamingResponse, long id, byte[] body, @Nullable Message message) {
        this.streamingResponse = streamingResponse;
        this.id = id;
        this.body = body;
        this.message = message;
    }

    /// Reads the beginning of the body.
    ///
    /// @param id of the rejected request
    static ErrorResponse read(StreamingResponse streamingResponse, long id, RemoteServer remote) throws IOException {
        boolean isRejection = streamingResponse.status() >= 300;
        byte[] body = JsonRpcFrames.onOneLine(
                isRejection ? streamingResponse.readable(MAX_BODY_BYTES) : streamingResponse.first(MAX_BODY_BYTES));
        boolean readable = mayCarry(streamingResponse.status()) && streamingResponse.isJson();
        return new ErrorResponse(streamingResponse, id, body, readable ? remote.read(body) : null);
    }

    private static boolean mayCarry(int status) {
        return status / 100 == 4 && status != 401 && status != 403 && status != 408 && status != 429;
    }

    byte[] body() {
        return body;
    }

    /// The JSON-RPC response to the request; null if there is none.
    Message.@Nullable Answer own() {
        return message instanceof Message.Answer answer && answer.id().number() == id ? answer : null;
    }

    /// The same, or an error without an id, from a server that rejected the request before it read the id: there
    /// was only one request.
    Message.@Nullable Answer ownOrNameless() {
        Message.Answer own = own();
        return own != null || message == null ? own : nameless();
    }

    private Message.@Nullable Answer nameless() {
        try {
            JsonView frame = JsonView.parse(body);
            JsonView error = frame.member("error");
            JsonView given = frame.member("id");
            if (error == null || code(frame) == null || (given != null && !given.isNull())) {
                return null;
            }
            byte[] named = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" + error.json() + "}").getBytes(UTF_8);
            return Message.read(named) instanceof Message.Answer answer ? answer : null;
        } catch (JsonSyntaxError noJson) {
            return null;
        }
    }

    /// Whether the server no longer knows the session. The specification requires 404. Older servers send 400,
    /// with an error without a matching id, or with plain text that mentions the session or is empty. Any other
    /// text is about the request, and the session is kept. A request that got its own JSON-RPC response belongs to
    /// a live session.
    boolean isSessionLost() {
        Message.Answer own = own();
        if (streamingResponse.status() == 404) {
            return own == null || !"-32601".equals(code(own.frame()));
        }
        if (streamingResponse.status() != 400 || own != null) {
            return false;
        }
        String code = streamingResponse.isJson() ? code(body) : null;
        boolean isPlain =
                streamingResponse.type().isEmpty() || streamingResponse.type().equals("text/plain");
        return (isPlain && mayMeanTheSession())
                || "-32000".equals(code)
                || "-32001".equals(code)
                || "-32600".equals(code);
    }

    private boolean mayMeanTheSession() {
        String text = new String(body, UTF_8).strip().toLowerCase(Locale.ROOT);
        return text.isEmpty() || text.equals("bad request") || text.contains("session");
    }

    private static @Nullable String code(JsonView frame) {
        JsonView code = frame.path("error", "code");
        return code == null ? null : code.json();
    }

    private static @Nullable String code(byte[] body) {
        try {
            return code(JsonView.parse(body));
        } catch (JsonSyntaxError noJson) {
            return null;
        }
    }
}
