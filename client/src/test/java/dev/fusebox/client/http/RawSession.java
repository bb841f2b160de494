package dev.fusebox.client.http;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Server of the session era with scripted raw responses, except for the handshake.
final class RawSession {
    private static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"serverInfo\":{\"name\":\"raw\",\"version\":\"1\"}}";
    private static final String NO_STREAM = RawServer.plain(405, "text/plain", "");

    private RawSession() {}

    /// A handshake with a session, no event stream, and scripted responses to calls.
    static RawServer session(RawServer.Answers calls) throws IOException {
        return RawServer.answering(request -> greeted(request, calls));
    }

    static @Nullable String greeted(RawServer.Received request, RawServer.Answers calls) throws IOException {
        return switch (request.rpcMethod()) {
            case "initialize" -> RawServer.json(200, request.result(WELCOME), "Mcp-Session-Id: s-1");
            case "notifications/initialized" -> RawServer.ACCEPTED;
            case "" -> request.header("last-event-id").isEmpty() ? NO_STREAM : calls.to(request);
            default -> calls.to(request);
        };
    }

    static List<RawServer.Received> requestsOf(RawServer server, String method) {
        return server.received.stream()
                .filter(request ->
                        request.rpcMethod().equals(method) || request.method().equals(method))
                .toList();
    }
}
