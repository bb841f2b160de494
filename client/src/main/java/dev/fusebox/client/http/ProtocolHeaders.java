package dev.fusebox.client.http;

import dev.fusebox.protocol.HeaderValueEncoding;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// HTTP headers of the protocol, in the session era and in the stateless era. A request shows its era itself: a
/// stateless one names its revision in its `_meta`. Pure functions.
final class ProtocolHeaders {
    static final String SESSION = "Mcp-Session-Id";
    static final String VERSION = "MCP-Protocol-Version";
    static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
    static final String EVENTS = "text/event-stream";
    private static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final String EITHER = "application/json, " + EVENTS;
    private static final Set<String> BY_NAME = Set.of("tools/call", "prompts/get");

    private ProtocolHeaders() {}

    /// Session id and revision from the handshake.
    ///
    /// @param session null if the server has no session
    /// @param version null if the server named none
    record SessionHeaders(
            @Nullable String session, @Nullable String version) {

        /// Reads it from the response to `initialize`.
        static SessionHeaders of(JsonView result, StreamingResponse streamingResponse) throws HttpFailure {
            List<String> sessions = streamingResponse.responseHeaders().values(SESSION);
            if (sessions.size() > 1 || (!sessions.isEmpty() && !HeaderValueEncoding.isVisible(sessions.getFirst()))) {
                throw HttpFailure.protocolViolation("the server sent an invalid session id");
            }
            String spoken = result.string("protocolVersion");
            boolean sendable = spoken != null && HeaderValueEncoding.isVisible(spoken);
            return new SessionHeaders(sessions.isEmpty() ? null : sessions.getFirst(), sendable ? spoken : null);
        }
    }

    /// The revision of a stateless message; null for a message of a session.
    static @Nullable String version(@Nullable JsonView params) {
        JsonView version = params == null ? null : params.path("_meta", META_VERSION);
        String text = version == null ? null : version.string();
        return text != null && HeaderValueEncoding.isVisible(text) ? text : null;
    }

    /// For a message of a session, or its handshake.
    static List<String> ofSession(@Nullable SessionHeaders sessionHeaders) {
        List<String> fields = new ArrayList<>(8);
        fields.add("Accept");
        fields.add(EITHER);
        addAgreed(fields, sessionHeaders);
        return fields;
    }

    /// For a GET of an event stream, or the end of a session.
    ///
    /// @param lastId id of the last event; null to begin with the next one
    static List<String> ofStream(SessionHeaders sessionHeaders, @Nullable String lastId) {
        List<String> fields = new ArrayList<>(8);
        fields.add("Accept");
        fields.add(EVENTS);
        addAgreed(fields, sessionHeaders);
        if (lastId != null) {
            fields.add("Last-Event-ID");
            fields.add(lastId);
        }
        return fields;
    }

    private static void addAgreed(List<String> fields, @Nullable SessionHeaders sessionHeaders) {
        if (sessionHeaders != null && sessionHeaders.session() != null) {
            fields.add(SESSION);
            fields.add(sessionHeaders.session());
        }
        if (sessionHeaders != null && sessionHeaders.version() != null) {
            fields.add(VERSION);
            fields.add(sessionHeaders.version());
        }
    }

    /// For a stateless request (2026-07-28, Streamable HTTP, "Request Metadata").
    static List<String> stateless(Message.Request request, String version, ToolListObserver tools) {
        List<String> fields = new ArrayList<>(12);
        fields.addAll(List.of("Accept", EITHER, VERSION, version));
        fields.addAll(List.of("Mcp-Method", HeaderValueEncoding.encoded(request.method())));
        String name = name(request);
        if (name != null) {
            fields.addAll(List.of("Mcp-Name", HeaderValueEncoding.encoded(name)));
        }
        if (request.method().equals("tools/call")) {
            tools.addTo(fields, request.params());
        }
        return fields;
    }

    private static @Nullable String name(Message.Request request) {
        JsonView params = request.params();
        if (params == null) {
            return null;
        }
        if (BY_NAME.contains(request.method())) {
            return params.string("name");
        }
        return switch (request.method()) {
            case "resources/read" -> params.string("uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> params.string("taskId");
            default -> null;
        };
    }
}
