package dev.fusebox.gateway.front;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rejection of requests that exceed the available memory; their ids are read from a preview. Pure functions
/// except for the reply, which blocks no longer than [HttpReply#respond].
final class OversizedRequests {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final CallFailure FULL = CallFailure.overloaded(
            "not enough memory for another large request; the call was not sent, try again in 1 s", RETRY_DELAY);

    private OversizedRequests() {}

    /// Rejects a request with a regular response under its id, if it has one.
    ///
    /// @param server the server of the request
    static void refuse(HttpRequest request, String server, HttpReply reply) {
        byte[] ends = request.body();
        int half = ends.length / 2;
        Message.Request asked =
                request(MessagePreview.of(Arrays.copyOf(ends, half), Arrays.copyOfRange(ends, half, ends.length)));
        if (asked == null) {
            refuse(reply);
            return;
        }
        boolean isStateless = McpEndpoint.isStateless(asked, request);
        byte[] answer =
                isStateless ? FailureFrames.stateless(asked, server, FULL) : FailureFrames.of(asked, server, FULL);
        reply.respond(200, EndpointRules.json(), answer);
    }

    /// For a message that expects no response, or whose id is unknown.
    static void refuse(HttpReply reply) {
        @Nullable RequestId nobody = null;
        HttpHeaders later = HttpHeaders.of(
                "Content-Type", "application/json", "Retry-After", Long.toString(RETRY_DELAY.toSeconds()));
        reply.respond(503, later, JsonRpcFrames.error(nobody, JsonRpcErrorCode.INTERNAL_ERROR, FULL.message(), null));
    }

    /// The request without its parameters; null if the message is not a request, or that is unknown.
    private static Message.@Nullable Request request(MessagePreview seen) {
        RequestId id = seen.id();
        String method = seen.method();
        if (id == null || method == null) {
            return null;
        }
        JsonWriter frame = new JsonWriter().beginObject().name("jsonrpc").string("2.0");
        frame.name("id").raw(id.json()).name("method").string(method);
        return Message.Request.of(frame.endObject().toString().getBytes(StandardCharsets.UTF_8));
    }
}
