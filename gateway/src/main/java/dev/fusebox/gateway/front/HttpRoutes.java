package dev.fusebox.gateway.front;

import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;

/// The mapping from paths to endpoints. Immutable; runs on the connection's thread.
///
/// @param mcp Streamable HTTP
/// @param sse HTTP with server-sent events, as of revision 2024-11-05
/// @param rest handles all other paths
record HttpRoutes(McpEndpoint mcp, SseEndpoint sse, HttpHandler rest) implements HttpHandler {
    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        if (CorsPolicy.isPreflight(request)) {
            CorsPolicy.answerPreflight(request, reply);
            return;
        }
        HttpReply readable = CorsPolicy.readable(request, reply);
        switch (request.path()) {
            case "/mcp" -> mcp.handle(request, readable);
            case SseEndpoint.STREAM, SseEndpoint.MESSAGES -> sse.handle(request, readable);
            default -> rest.handle(request, readable);
        }
    }
}
