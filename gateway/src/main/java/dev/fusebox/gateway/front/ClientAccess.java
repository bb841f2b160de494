package dev.fusebox.gateway.front;

import dev.fusebox.http.BearerToken;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// The check of the token that MCP clients need. Other paths have rules of their own. Immutable; runs on the
/// connection's thread.
///
/// @param token null if clients need none
record ClientAccess(@Nullable BearerToken token, HttpHandler routes) implements HttpHandler {
    private static final String NEEDED = "the gateway requires the header Authorization: Bearer TOKEN, with the content"
            + " of client.token in the folder run of its home; `init --transport http` writes it for clients";

    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        if (token == null
                || CorsPolicy.isPreflight(request)
                || !HttpRoutes.isOfProtocol(request.path())
                || token.isIn(request)) {
            routes.handle(request, reply);
            return;
        }
        @Nullable RequestId none = null;
        HttpHeaders headers = EndpointRules.json().with("WWW-Authenticate", "Bearer");
        CorsPolicy.readable(request, reply)
                .respond(401, headers, JsonRpcFrames.error(none, JsonRpcErrorCode.INVALID_REQUEST, NEEDED, null));
    }
}
