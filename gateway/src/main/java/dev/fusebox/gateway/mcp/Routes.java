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
        if (CrossOrigin.isPreflight(request)) {
            CrossOrigin.answerPreflight(request, reply);
            return;
        }
        HttpReply readable = CrossOrigin.readable(request, reply);
        switch (request.path()) {
            case "/mcp" -> mcp.handle(request, readable);
            case SseEndpoint.STREAM, SseEndpoint.MESSAGES -> sse.handle(request, readable);
            default -> rest.handle(request, readable);
        }
    }
}
