package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.Message;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The endpoints `/sse` and `/messages`: HTTP with server-sent events, for clients of revision 2024-11-05.
/// Thread-safe; runs on the connection's thread.
final class SseEndpoint implements HttpHandler {
    static final String STREAM = "/sse";
    static final String MESSAGES = "/messages";
    private static final String EVENTS = "text/event-stream";
    private static final String SESSION = "sessionId=";

    private final HttpSessions sessions;
    private final int maxDepth;

    /// @param maxDepth the maximum nesting depth of a message
    SseEndpoint(HttpSessions sessions, int maxDepth) {
        this.sessions = sessions;
        this.maxDepth = maxDepth;
    }

    /// The path to which a client posts messages of this session.
    static String addressOf(String session) {
        return MESSAGES + "?" + SESSION + session;
    }

    @Override
    public void handle(HttpRequest request, HttpReply reply) {
        boolean isStream = request.path().equals(STREAM);
        HttpMethod expected = isStream ? HttpMethod.GET : HttpMethod.POST;
        if (request.method() != expected) {
            EndpointRules.refuseMethod(reply, expected.name());
        } else if (isStream) {
            listen(request, reply);
        } else {
            post(request, reply);
        }
    }

    private void listen(HttpRequest request, HttpReply reply) {
        // An explicit type is required: an image on a foreign web page accepts anything, and would open a session.
        if (!EndpointRules.names(request, EVENTS)) {
            EndpointRules.refuse(reply, 406, JsonRpcErrorCode.INVALID_REQUEST, "Accept must list " + EVENTS);
            return;
        }
        SseSession session = sessions.openSse();
        if (session == null) {
            EndpointRules.refuseSession(reply);
            return;
        }
        reply.onClientGone(() -> {
            session.giveUp();
            sessions.close(session.id());
        });
        session.open(reply);
    }

    private void post(HttpRequest request, HttpReply reply) {
        SseSession session = EndpointRules.admitsBody(request, reply) ? sessionOf(request, reply) : null;
        if (session == null) {
            return;
        }
        if (request.isCut()) {
            OversizedRequests.refuse(reply);
            return;
        }
        Message message = Message.read(request.body(), maxDepth).exact();
        if (message instanceof Message.Malformed bad) {
            EndpointRules.refuse(reply, bad);
        } else if (message instanceof Message.Batch && !session.revision().hasBatches()) {
            EndpointRules.refuse(reply, 400, MessageBatch.refusal());
        } else if (isStateless(message) || EndpointRules.admitsVersion(request, reply)) {
            pass(message, session, reply);
        }
    }

    /// Modern requests are rejected on the stream, where the client expects the response, regardless of its
    /// headers are.
    private static boolean isStateless(Message message) {
        return message instanceof Message.Request request && ModernFrontEnd.isModern(request);
    }

    /// Work starts after the message was accepted, so that the response cannot overtake the acknowledgement.
    private static void pass(Message message, SseSession session, HttpReply reply) {
        Runnable work = session.take(message);
        if (work == null) {
            refuseUnknown(reply);
            return;
        }
        try {
            reply.respond(202, HttpHeaders.none(), EndpointRules.NOTHING);
        } finally {
            // An accepted message must be handled, if necessary on the connection's thread.
            VirtualThreadStarter.start("fusebox-sse-call", work, work);
        }
    }

    /// The session that the query names; null if the request was rejected.
    private @Nullable SseSession sessionOf(HttpRequest request, HttpReply reply) {
        String[] parts = request.query().split("&", -1);
        String named = Arrays.stream(parts)
                .filter(part -> part.startsWith(SESSION))
                .findFirst()
                .orElse(null);
        if (named == null) {
            String message = "the query must name the session, as the endpoint event on " + STREAM + " does";
            EndpointRules.refuse(reply, 400, JsonRpcErrorCode.INVALID_REQUEST, message);
            return null;
        }
        SseSession session = sessions.findSse(named.substring(SESSION.length()));
        if (session == null) {
            refuseUnknown(reply);
        }
        return session;
    }

    private static void refuseUnknown(HttpReply reply) {
        EndpointRules.refuse(
                reply, 404, JsonRpcErrorCode.INVALID_REQUEST, "unknown session; open a new one at " + STREAM);
    }
}
