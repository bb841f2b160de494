package dev.fusebox.gateway.front;

import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.gateway.era.StreamedResponseChannel;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The endpoint `/mcp`, or that of a profile: Streamable HTTP with sessions, for revisions 2025-03-26 to 2025-11-25,
/// and stateless, for 2026-07-28. Thread-safe; runs on the connection's thread.
public final class McpEndpoint implements HttpHandler {
    private final HttpSessions sessions;
    private final ModernFrontEnd stateless;
    private final McpPath path;
    private final String server;
    private final int maxDepth;

    McpEndpoint(HttpSessions sessions, ModernFrontEnd stateless, McpPath path) {
        SessionSettings settings = path.service().settings();
        this.sessions = sessions;
        this.stateless = stateless;
        this.path = path;
        this.server = settings.server();
        this.maxDepth = settings.maxDepth();
    }

    @Override
    public void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        switch (request.method()) {
            case POST -> post(request, reply);
            case GET -> get(request, reply);
            case DELETE -> delete(request, reply);
            case HEAD, OPTIONS -> EndpointRules.refuseMethod(reply, "POST, GET, DELETE");
        }
    }

    // ---- POST: one message of the client

    private void post(HttpRequest request, HttpReply reply) throws InterruptedException {
        if (!EndpointRules.accepts(request, "application/json")
                || !EndpointRules.accepts(request, "text/event-stream")) {
            EndpointRules.refuse(
                    reply,
                    406,
                    JsonRpcErrorCode.INVALID_REQUEST,
                    "Accept must list application/json and text/event-stream");
            return;
        }
        if (!EndpointRules.admitsBody(request, reply)) {
            return;
        }
        if (request.isCut()) {
            OversizedRequests.refuse(request, server, reply);
            return;
        }
        byte[] body = request.body();
        Message message = Message.read(body, maxDepth).exact();
        if (message instanceof Message.Malformed bad) {
            EndpointRules.refuse(reply, bad);
        } else if (message instanceof Message.Request single && isStateless(single, request)) {
            answer(single, request, reply);
        } else if (message instanceof Message.Request initialize
                && initialize.method().equals("initialize")) {
            begin(initialize, reply);
        } else {
            HttpSession session = sessionOf(request, reply);
            if (session != null) {
                pass(message, session, reply);
            }
        }
    }

    /// A request declares its era itself, or by its header (revision 2026-07-28).
    static boolean isStateless(Message.Request message, HttpRequest request) {
        String version = request.headers().value(EndpointRules.VERSION_HEADER);
        return ModernFrontEnd.isModern(message)
                || (version != null
                        && ProtocolRevision.dated(version).isEmpty()
                        && version.compareTo(ProtocolRevision.NEWEST.toString()) > 0);
    }

    /// In the modern era a client that disconnects cancels its request.
    private void answer(Message.Request message, HttpRequest request, HttpReply reply) {
        Deadline deadline = stateless.deadline(message);
        reply.onClientGone(deadline::giveUp);
        stateless.answer(request.headers(), message, deadline, new StreamedResponseChannel(reply));
    }

    private void begin(Message.Request initialize, HttpReply reply) {
        HttpSession session = sessions.open(path);
        if (session == null) {
            EndpointRules.refuseSession(reply);
            return;
        }
        HttpHeaders withId = HttpHeaders.of(HttpSession.ID_HEADER, session.id());
        ClientChannel beginning = new Beginning(session, session.clientChannel(reply, withId), reply);
        session.begin(initialize, beginning).run();
    }

    /// Watches for the response to `initialize`: a handshake that fails leaves no session behind.
    private final class Beginning implements ClientChannel {
        private final HttpSession session;
        private final ClientChannel clientChannel;
        private final HttpReply reply;

        Beginning(HttpSession session, ClientChannel clientChannel, HttpReply reply) {
            this.session = session;
            this.clientChannel = clientChannel;
            this.reply = reply;
        }

        @Override
        public void send(byte[] frame) {
            clientChannel.send(frame);
        }

        @Override
        public void finish(byte[] answer) {
            JsonView result = Message.read(answer) instanceof Message.Answer good ? good.result() : null;
            if (result == null) {
                sessions.close(session.id());
                reply.respond(200, EndpointRules.json(), answer);
            } else {
                clientChannel.finish(answer);
            }
        }

        @Override
        public void abandon() {
            sessions.close(session.id());
            clientChannel.abandon();
        }
    }

    private static void pass(Message message, HttpSession session, HttpReply reply) throws InterruptedException {
        switch (message) {
            case Message.Request request ->
                session.begin(request, session.clientChannel(reply, HttpHeaders.none()))
                        .run();
            case Message.Notification notification -> {
                session.take(notification);
                reply.respond(202, HttpHeaders.none(), EndpointRules.NOTHING);
            }
            case Message.Answer answer -> {
                session.take(answer);
                reply.respond(202, HttpHeaders.none(), EndpointRules.NOTHING);
            }
            case Message.Batch batch -> passAll(batch, session, reply);
            case Message.Malformed bad -> EndpointRules.refuse(reply, bad);
        }
    }

    private static void passAll(Message.Batch batch, HttpSession session, HttpReply reply) throws InterruptedException {
        if (!session.revision().hasBatches()) {
            EndpointRules.refuse(reply, 400, MessageBatch.refusal());
        } else if (!new MessageBatch(session, session.clientChannel(reply, HttpHeaders.none()))
                .begin(batch)
                .answer()) {
            reply.respond(202, HttpHeaders.none(), EndpointRules.NOTHING);
        }
    }

    // ---- GET: messages that belong to no request, or the rest of a stream

    private void get(HttpRequest request, HttpReply reply) {
        if (!EndpointRules.accepts(request, "text/event-stream")) {
            EndpointRules.refuse(reply, 406, JsonRpcErrorCode.INVALID_REQUEST, "Accept must list text/event-stream");
            return;
        }
        HttpSession session = sessionOf(request, reply);
        if (session == null) {
            return;
        }
        String lastEventId = request.headers().value("Last-Event-ID");
        if (lastEventId == null) {
            session.listen(reply.stream(200, HttpHeaders.none()));
            return;
        }
        SessionStreams.Resumption resumption = session.after(lastEventId);
        if (resumption == null) {
            // With status 204 a client of event streams does not reconnect (HTML, 9.2). Otherwise it would
            // reconnect forever to a stream that ended without a response, as that of a cancelled call does.
            reply.respond(204, HttpHeaders.none(), EndpointRules.NOTHING);
        } else {
            resumption.goTo(reply.stream(200, HttpHeaders.none()));
        }
    }

    private void delete(HttpRequest request, HttpReply reply) {
        HttpSession session = sessionOf(request, reply);
        if (session != null) {
            sessions.close(session.id());
            reply.respond(200, HttpHeaders.none(), EndpointRules.NOTHING);
        }
    }

    // ---- Sessions

    /// The session that the request names; null if the request was rejected.
    private @Nullable HttpSession sessionOf(HttpRequest request, HttpReply reply) {
        if (!EndpointRules.admitsVersion(request, reply)) {
            return null;
        }
        String id = request.headers().value(HttpSession.ID_HEADER);
        if (id == null) {
            EndpointRules.refuse(
                    reply,
                    400,
                    JsonRpcErrorCode.INVALID_REQUEST,
                    "the header " + HttpSession.ID_HEADER + " is missing");
            return null;
        }
        HttpSession session = sessions.find(id, path.path());
        if (session == null) {
            EndpointRules.refuse(reply, 404, JsonRpcErrorCode.INVALID_REQUEST, "unknown session; initialize a new one");
        }
        return session;
    }
}
