package dev.fusebox.gateway.front;

import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import java.util.List;

/// The mapping from paths to endpoints. Immutable; runs on the connection's thread.
///
/// @param mcp Streamable HTTP
/// @param profiles the same for parts of the configuration
/// @param sse HTTP with server-sent events, as of revision 2024-11-05
/// @param rest handles all other paths
record HttpRoutes(McpEndpoint mcp, ProfileEndpoints profiles, SseEndpoint sse, HttpHandler rest)
        implements HttpHandler {
    /// Whether a path belongs to MCP.
    static boolean isOfProtocol(String path) {
        return McpPath.isOfProfile(path)
                || List.of(McpPath.ALL, SseEndpoint.STREAM, SseEndpoint.MESSAGES)
                        .contains(path);
    }

    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        if (CorsPolicy.isPreflight(request)) {
            CorsPolicy.answerPreflight(request, reply);
            return;
        }
        HttpReply readable = CorsPolicy.readable(request, reply);
        if (McpPath.isOfProfile(request.path())) {
            profiles.handle(request, readable);
            return;
        }
        switch (request.path()) {
            case McpPath.ALL -> mcp.handle(request, readable);
            case SseEndpoint.STREAM, SseEndpoint.MESSAGES -> sse.handle(request, readable);
            default -> rest.handle(request, readable);
        }
    }
}
