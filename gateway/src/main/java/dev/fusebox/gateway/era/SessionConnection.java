package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A connection to a legacy server that works for one session. Many of its calls may be in flight at a time, and a
/// server request does not name its call: all calls are the same client's. The call that has forwarded the fewest
/// questions forwards it, so that none exceeds its limit because of the questions of others. Thread-safe;
/// [#initialize] and [#call] block at most until the deadline.
final class SessionConnection implements ServerRequestHandler, ServerMessageHandler {
    private final ReconnectingConnection reconnectingConnection;
    private final LegacySubscriptions subscriptions;

    /// Calls in flight, the latest first.
    private final Deque<OpenCall> calls = new ConcurrentLinkedDeque<>();

    private final ServerLogLevel level;
    private final Owner owner;

    /// The client's last answer to a request for its roots; null if there was no such request.
    private volatile @Nullable JsonView roots;

    /// Unanswered questions that belong to no call.
    private final Set<RequestId> outside = ConcurrentHashMap.newKeySet();

    /// The session that owns the connection. Immutable.
    ///
    /// @param capabilities of the client
    /// @param server name of the server
    record Owner(ClientSession clientSession, JsonView capabilities, String server) {
        /// Whether the client has declared that it answers such a request.
        boolean takes(Message.Request question) {
            String method = question.method();
            int slash = method.indexOf('/');
            return slash > 0 && capabilities.member(method.substring(0, slash)) != null;
        }
    }

    /// A call in flight, and the number of questions that it has forwarded.
    private record OpenCall(RequestNotifications requestNotifications, AtomicInteger questions) {
        boolean asked(ReplyHandler replyHandler, Message.Request question) {
            boolean isPut = requestNotifications.onRequest(replyHandler, question);
            if (isPut) {
                questions.incrementAndGet();
            }
            return isPut;
        }
    }

    /// @param subscriptions receive what belongs to no call
    /// @param opening creates the connection to the server for a message handler
    SessionConnection(
            Platform platform,
            Owner owner,
            LegacySubscriptions subscriptions,
            Function<ServerMessageHandler, ReconnectingConnection> opening) {
        this.owner = owner;
        this.subscriptions = subscriptions;
        this.reconnectingConnection = opening.apply(this);
        this.level = new ServerLogLevel(platform, reconnectingConnection);
    }

    ReconnectingConnection connection() {
        return reconnectingConnection;
    }

    @Override
    public ReconnectingConnection.HandshakeResult initialize(Deadline deadline) {
        return reconnectingConnection.initialize(deadline);
    }

    @Override
    public Outcome call(Call call) {
        ClientMetadata client = call.client();
        RequestNotifications requestNotifications =
                new RequestNotifications(call.caller(), client.logLevel(), subscriptions::onNotification);
        OpenCall open = new OpenCall(requestNotifications, new AtomicInteger());
        calls.addFirst(open);
        try {
            level.setLevel(() -> levelOf(client), call.deadline());
            return reconnectingConnection.call(call.with(requestNotifications));
        } finally {
            calls.remove(open);
        }
    }

    /// Questions that are unanswered at the end of the call that forwarded them are forwarded by another.
    @Override
    public void done(Outcome outcome, List<SuspendedCall.ServerRequest> open) {
        for (SuspendedCall.ServerRequest serverRequest : open) {
            boolean isPut = askedInCall(serverRequest.replyHandler(), serverRequest.request())
                    || (isRoots(serverRequest.request())
                            && askedOutside(serverRequest.replyHandler(), serverRequest.request()));
            if (!isPut) {
                refuse(serverRequest.replyHandler(), serverRequest.request(), "the client did not answer");
            }
        }
    }

    private static void refuse(ReplyHandler replyHandler, Message.Request question, String why) {
        replyHandler.sendOneWay(JsonRpcFrames.error(question.id(), JsonRpcErrorCode.INTERNAL_ERROR, why, null));
    }

    // ---- Log level

    /// The level of the session, which may have changed since the call began; without a session that of the
    /// call. Null, which changes nothing, if no client gets the messages.
    private @Nullable String levelOf(ClientMetadata client) {
        if (!owner.clientSession().isSoleUser()) {
            return null;
        }
        String ofSession = owner.clientSession().logLevel();
        return ofSession == null ? client.logLevel() : ofSession;
    }

    /// Sets the client's log level at the server, unless that was done. Blocks at most until the deadline.
    void applyLevel(Deadline deadline) {
        level.setLevel(owner.clientSession()::logLevel, deadline);
    }

    /// Discards the cached roots after the client's have changed.
    void forgetRoots() {
        roots = null;
    }

    // ---- Messages from the server

    /// A question that arrives while no call is in flight belongs to none, such as a request for roots after
    /// the handshake. A call that has just been answered does not forward questions any more.
    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        boolean isKnown = owner.clientSession().isAsked(question);
        if (!isKnown || !owner.takes(question)) {
            return false;
        }
        boolean mayBeOutside = calls.isEmpty() || isRoots(question);
        ReplyHandler noting = owner.clientSession().noting(replyHandler, question);
        return askedInCall(noting, question) || (mayBeOutside && askedOutside(noting, question));
    }

    private boolean askedInCall(ReplyHandler replyHandler, Message.Request question) {
        ReplyHandler heard = isRoots(question) ? new RootsReplyHandler(replyHandler) : replyHandler;
        // The counts are read once: they may change while the calls are sorted.
        return calls.stream()
                .map(call -> Map.entry(call.questions().get(), call))
                .sorted(Map.Entry.comparingByKey())
                .anyMatch(entry -> entry.getValue().asked(heard, question));
    }

    private static boolean isRoots(Message.Request question) {
        return question.method().equals(ServerRequestLimit.ROOTS);
    }

    /// A client without a session accepts server requests only during its calls; its roots may be cached from one
    /// of these.
    private boolean askedOutside(ReplyHandler replyHandler, Message.Request question) {
        outside.add(question.id());
        if (owner.clientSession()
                .onRequest(owner.server(), new UnrelatedReplyHandler(replyHandler, question.id()), question)) {
            return true;
        }
        outside.remove(question.id());
        JsonView known = isRoots(question) ? roots : null;
        if (known == null) {
            refuse(replyHandler, question, "the client has no call in flight; a request cannot be sent to it");
        } else {
            replyHandler.answer(known, question.id());
        }
        return true;
    }

    /// Caches the client's roots on their way to the server.
    private final class RootsReplyHandler implements ReplyHandler {
        private final ReplyHandler replyHandler;

        RootsReplyHandler(ReplyHandler replyHandler) {
            this.replyHandler = replyHandler;
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            roots = answer.member("result") == null ? roots : answer;
            replyHandler.answer(answer, question);
        }

        @Override
        public void sendOneWay(byte[] refusal) {
            replyHandler.sendOneWay(refusal);
        }
    }

    /// Receives the answer to a question that belongs to no call.
    private final class UnrelatedReplyHandler implements ReplyHandler {
        private final ReplyHandler replyHandler;
        private final RequestId asked;

        UnrelatedReplyHandler(ReplyHandler replyHandler, RequestId asked) {
            this.replyHandler = replyHandler;
            this.asked = asked;
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            outside.remove(asked);
            replyHandler.answer(answer, asked);
        }

        @Override
        public void sendOneWay(byte[] refusal) {
            outside.remove(asked);
            replyHandler.sendOneWay(
                    JsonRpcFrames.error(asked, JsonRpcErrorCode.INTERNAL_ERROR, "the client did not answer", null));
        }
    }

    @Override
    public void onNotification(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" -> cancelled(notification);
            case "notifications/message" -> logged(notification);
            default -> {
                subscriptions.onNotification(notification);
                owner.clientSession().onNotification(owner.server(), notification);
            }
        }
    }

    private void cancelled(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        RequestId withdrawn = id == null ? null : RequestId.read(id);
        if (withdrawn != null && outside.remove(withdrawn)) {
            owner.clientSession().onNotification(owner.server(), notification);
        } else {
            calls.forEach(call -> call.requestNotifications().onNotification(notification));
        }
    }

    /// A log message that no call accepts goes to the session. One of a process that several clients use may
    /// concern any of them.
    private void logged(Message.Notification line) {
        if (!owner.clientSession().isSoleUser()) {
            return;
        }
        OpenCall call = calls.stream()
                .filter(each -> each.requestNotifications().level() != null)
                .findFirst()
                .orElse(null);
        if (call != null) {
            call.requestNotifications().onNotification(line);
        } else if (RequestNotifications.isFrom(owner.clientSession().logLevel(), line)) {
            owner.clientSession().onNotification(owner.server(), line);
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        owner.clientSession().lost(owner.server());
        for (RequestId question : outside) {
            String params =
                    "{\"requestId\":" + question.json() + ",\"reason\":\"the requesting server has disconnected\"}";
            cancelled(Message.Notification.of(JsonRpcFrames.notification("notifications/cancelled", params)));
        }
        subscriptions.lost(connection, failure);
    }
}
