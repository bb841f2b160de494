package dev.fusebox.gateway.front;

import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// CORS (Fetch standard): response headers for web pages, and answers to preflight requests. The front end has
/// already rejected requests whose Origin is not allowed. Pure functions except for the replies.
final class CorsPolicy {
    /// Response headers that scripts may read in addition to the safelisted ones.
    static final String EXPOSED = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate";

    private static final String METHOD = "Access-Control-Request-Method";
    private static final String REQUESTED = "Access-Control-Request-Headers";
    private static final String PRIVATE_NETWORK = "Access-Control-Request-Private-Network";

    /// Request headers of clients in addition to the safelisted ones.
    private static final String SENT = "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
            + "MCP-Protocol-Version, Mcp-Session-Id, Traceparent, Tracestate, Baggage";

    /// Prefix of the header of a tool's argument.
    private static final String ARGUMENT = "mcp-param-";

    /// The answer changes only when the gateway restarts.
    private static final String REMEMBERED_SECONDS = "600";

    private static final String MCP_METHODS = "POST, GET, DELETE";

    private CorsPolicy() {}

    /// Whether this is a CORS preflight request.
    static boolean isPreflight(HttpRequest request) {
        return request.method() == HttpMethod.OPTIONS
                && request.headers().value("Origin") != null
                && request.headers().value(METHOD) != null;
    }

    static void answerPreflight(HttpRequest request, HttpReply reply) {
        HttpHeaders headers = HttpHeaders.of(
                "Access-Control-Allow-Methods", methods(request.path()),
                "Access-Control-Allow-Headers", allowed(request.headers()),
                "Access-Control-Max-Age", REMEMBERED_SECONDS);
        if ("true".equals(request.headers().value(PRIVATE_NETWORK))) {
            headers = headers.with("Access-Control-Allow-Private-Network", "true");
        }
        readable(request, reply).respond(204, headers, EndpointRules.NOTHING);
    }

    /// Outside of the protocol, pages may only read.
    private static String methods(String path) {
        if (McpPath.isOfProfile(path)) {
            return MCP_METHODS;
        }
        return switch (path) {
            case McpPath.ALL -> MCP_METHODS;
            case SseEndpoint.MESSAGES -> "POST";
            default -> "GET";
        };
    }

    private static String allowed(HttpHeaders headers) {
        Stream<String> arguments = headers.values(REQUESTED).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> name.matches("[!#$%&'*+.^_`|~0-9a-z-]+") && name.startsWith(ARGUMENT));
        return Stream.concat(Stream.of(SENT), arguments).collect(Collectors.joining(", "));
    }

    /// The same reply with CORS headers for the page; unchanged for clients without an Origin.
    static HttpReply readable(HttpRequest request, HttpReply reply) {
        String origin = request.headers().value("Origin");
        return origin == null ? reply : new ReadableReply(origin, reply);
    }

    /// @param origin of the page
    private record ReadableReply(String origin, HttpReply reply) implements HttpReply {
        private HttpHeaders with(HttpHeaders headers) {
            return headers.with("Access-Control-Allow-Origin", origin)
                    .with("Access-Control-Expose-Headers", EXPOSED)
                    .with("Vary", "Origin");
        }

        @Override
        public boolean respond(int status, HttpHeaders headers, byte[] body) {
            return reply.respond(status, with(headers), body);
        }

        @Override
        public EventStream stream(int status, HttpHeaders headers) {
            return reply.stream(status, with(headers));
        }

        @Override
        public EventStream stream(int status, HttpHeaders headers, int maxWaitingBytes) {
            return reply.stream(status, with(headers), maxWaitingBytes);
        }

        @Override
        public void onClientGone(Runnable action) {
            reply.onClientGone(action);
        }

        @Override
        public boolean isClientGone() {
            return reply.isClientGone();
        }
    }
}
