package dev.fusebox.gateway.mcp;

import dev.fusebox.gateway.http.Handler;
import dev.fusebox.gateway.http.HttpReply;
import dev.fusebox.gateway.http.HttpRequest;

/// Which path leads to which endpoint. Immutable; runs on the connection's thread.
///
/// @param mcp Streamable HTTP
/// @param sse HTTP with server-sent events, as of revision 2024-11-05
/// @param rest answers everything else
record Routes(McpEndpoint mcp, SseEndpoint sse, Handler rest) implements Handler {
    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        switch (request.path()) {
            case "/mcp" -> mcp.handle(request, reply);
            case SseEndpoint.STREAM, SseEndpoint.MESSAGES -> sse.handle(request, reply);
            default -> rest.handle(request, reply);
        }
    }
}
