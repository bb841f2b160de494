package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import java.io.IOException;
import java.util.Optional;

/// What both eras read and write over HTTP. Pure functions; writing blocks while the client does not read.
final class HttpMessages {
    static final String EVENTS = "text/event-stream";
    static final String JSON = "application/json";
    static final String REVISION = "MCP-Protocol-Version";

    private HttpMessages() {}

    static Optional<String> header(HttpExchange http, String name) {
        return Optional.ofNullable(http.getRequestHeaders().getFirst(name));
    }

    static boolean takes(HttpExchange http, String type) {
        return header(http, "Accept").orElse("").contains(type);
    }

    static void refuse(HttpExchange http, int status, String reason) throws IOException {
        reply(http, status, JsonRpcFrames.error(null, JsonRpcErrorCode.INVALID_REQUEST, reason, null));
    }

    static void reply(HttpExchange http, int status, byte[] body) throws IOException {
        if (body.length == 0) {
            http.sendResponseHeaders(202, -1);
            return;
        }
        http.getResponseHeaders().set("Content-Type", JSON);
        http.sendResponseHeaders(status, body.length);
        http.getResponseBody().write(body);
    }
}
