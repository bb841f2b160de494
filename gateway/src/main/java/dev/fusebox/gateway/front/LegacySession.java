package dev.fusebox.gateway.front;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MemoryLease;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.SendOrder;
import dev.fusebox.client.SendSlot;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.session.ProgressGate;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A client session of the legacy era, passed through to the client's own server.
///
/// Frames stay byte for byte except for request ids, progress tokens, the ids in cancellations, and reserved keys
/// in `_meta`. Thread-safe; nothing blocks except the task that [#begin] returns.
public final class LegacySession implements ServerMessageHandler, MessageBatch.Conversation {
    private static final System.Logger LOG = LazyLoggers.of(LegacySession.class);

    private static final Outcome BROKEN = new Outcome.Failed(CallFailure.broken());

    private static final Outcome CANCELLED = new Outcome.Failed(CallFailure.cancelled());

    /// An unanswered request of the server fails before the call that it belongs to, so that the server can still
    /// complete the call.
    private static final Duration RESPONSE_MARGIN = Duration.ofSeconds(1);

    /// Earlier calls are sent within a few milliseconds; a notification does not wait for them any longer.
    private static final Duration MAX_ORDER_WAIT = Duration.ofSeconds(1);

    private final Platform platform;
    private final SessionSettings settings;
    private final ClientChannel unrelated;
    private final ClientConversation server;
    private final SessionHandshake handshake;
    private final PendingCalls pendingCalls;
    private final SendOrder order;
    private final ServerRequests serverRequests;
    private final AtomicInteger running = new AtomicInteger();
    private volatile @Nullable Runnable onQuiet;
    private volatile ServerRequestLimit.Budget unrelatedBudget;

    /// @param unrelated the channel for messages that belong to no request of the client
    public LegacySession(Platform platform, GatewayService service, ClientChannel unrelated) {
        this(platform, service, unrelated, new SendOrder());
    }

    /// @param order the send order, if it is shared with other traffic of this client
    LegacySession(Platform platform, GatewayService service, ClientChannel unrelated, SendOrder order) {
        this.platform = platform;
        this.order = order;
        this.settings = service.settings();
        this.unrelated = unrelated;
        this.server = service.clientConversation(platform, this);
        this.handshake = new SessionHandshake(platform, server, settings.server());
        this.pendingCalls = new PendingCalls(settings.calls(), settings.callBytes());
        this.serverRequests = new ServerRequests(platform.timers(), settings.clientWait(), this::unanswered);
        this.unrelatedBudget = budget();
    }

    /// Sets the id of the first request of a server to the client. To be called before the first message.
    void countRequestsFrom(long firstId) {
        serverRequests.countFrom(firstId);
    }

    // ---- Messages of the client

    /// Registers a request, so that it can be cancelled from now on, and returns the task that answers it. The
    /// task blocks until the call has ended, and must be run. Requests are sent to their server in the order of
    /// registration.
    @Override
    public Runnable begin(Message.Request request, ClientChannel clientChannel) {
        if (request.method().equals("ping")) {
            return counted(() -> clientChannel.finish(JsonRpcFrames.result(request.id(), "{}")));
        }
        Duration limit = isInitialize(request) ? settings.connectTimeout() : settings.timeout();
        Deadline deadline = new Deadline(limit, settings.clientWait().plus(RESPONSE_MARGIN), platform.ticker());
        PendingCalls.Ongoing ongoing =
                new PendingCalls.Ongoing(deadline, clientChannel, budget(), !isInitialize(request));
        return switch (pendingCalls.enter(request, ongoing)) {
            case TWICE ->
                counted(() -> clientChannel.finish(JsonRpcFrames.error(
                        request.id(),
                        JsonRpcErrorCode.INVALID_REQUEST,
                        "a request with this id is already in flight",
                        null)));
            case REFUSED -> refused(request, pendingCalls.refusal(), clientChannel);
            case ADMITTED -> admitted(request, ongoing);
        };
    }

    private Runnable refused(Message.Request request, CallFailure why, ClientChannel clientChannel) {
        settings.sessions().refused(request.method(), why);
        return counted(() -> clientChannel.finish(FailureFrames.of(request, settings.server(), why)));
    }

    private Runnable counted(Runnable answer) {
        running.incrementAndGet();
        return () -> {
            try {
                answer.run();
            } finally {
                ended();
            }
        };
    }

    private Runnable admitted(Message.Request request, PendingCalls.Ongoing ongoing) {
        unrelatedBudget = budget();
        if (isInitialize(request)) {
            handshake.begin();
        }
        running.incrementAndGet();
        ClientInCall client = new ClientInCall(ongoing);
        Call call = new Call(request, ClientMetadata.UNKNOWN, ongoing.deadline(), client, order.next(), List.of());
        return () -> work(call, client);
    }

    private void work(Call call, ClientInCall client) {
        MemoryLease lease = MemoryLease.open(platform, call.deadline());
        try {
            Outcome outcome = call(call);
            client.closeProgress();
            answer(call.request(), client.ongoing, outcome);
        } finally {
            lease.close();
            call.slot().release();
            ended();
        }
    }

    /// The response is built before the call ends, so that a cancellation is possible until it is handed over.
    private void answer(Message.Request request, PendingCalls.Ongoing ongoing, Outcome outcome) {
        byte[] answer = null;
        boolean isWanted;
        try {
            answer = frameSafely(request, ongoing.deadline().isGivenUp() ? CANCELLED : outcome);
        } finally {
            isWanted = pendingCalls.leave(request, ongoing);
        }
        if (answer != null && isWanted) {
            ongoing.clientChannel().finish(answer);
        } else {
            ongoing.clientChannel().abandon();
        }
    }

    /// Building the response may exceed the memory limit.
    private byte @Nullable [] frameSafely(Message.Request request, Outcome outcome) {
        try {
            return frame(request, outcome);
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "failed to build the response to " + request.method() + " (internal error)", bug);
            return frame(request, BROKEN);
        }
    }

    private void ended() {
        // The decrement comes first: a new listener is set before the count is read, so one of the two sees the
        // other.
        if (running.decrementAndGet() == 0) {
            Runnable quiet = onQuiet;
            if (quiet != null) {
                quiet.run();
            }
        }
    }

    /// A bug of the gateway fails only its own call, which is answered.
    private Outcome call(Call call) {
        try {
            if (isInitialize(call.request())) {
                return handshake.perform(call);
            }
            CallFailure missing = handshake.await(call.deadline());
            return missing == null ? server.call(call) : new Outcome.Failed(missing);
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, call.request().method() + " failed (internal error)", bug);
            return BROKEN;
        } finally {
            // The call is not sent any more.
            call.slot().release();
        }
    }

    private static boolean isInitialize(Message.Request request) {
        return request.method().equals("initialize");
    }

    private ServerRequestLimit.Budget budget() {
        return settings.questions().budget(settings.server());
    }

    /// The response frame; null if the client no longer waits for one.
    private byte @Nullable [] frame(Message.Request request, Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return ResponseRelay.under(request.id(), answered.answer());
        }
        CallFailure failure = ((Outcome.Failed) outcome).failure();
        return failure.category() == FailureCategory.CANCELLED
                ? null
                : FailureFrames.of(request, settings.server(), failure);
    }

    /// Handles a notification of the client.
    @Override
    public void take(Message.Notification notification) {
        if (!notification.method().equals("notifications/cancelled")) {
            unrelatedBudget = budget();
            sendInOrder(() -> server.onClientNotification(notification));
            return;
        }
        JsonView id = notification.frame().path("params", "requestId");
        RequestId cancelled = id == null ? null : RequestId.read(id);
        if (cancelled != null) {
            pendingCalls.cancel(cancelled);
        }
    }

    /// Handles the client's response to a request of the server.
    @Override
    public void take(Message.Answer answer) {
        ServerRequests.PendingRequest pendingRequest = serverRequests.remove(answer.id());
        if (pendingRequest != null) {
            sendInOrder(() -> pendingRequest.replyHandler().answer(answer.frame(), pendingRequest.asked()));
        }
    }

    /// Runs after the client's earlier calls, nearly always at once. The thread that reads the client's messages
    /// never waits.
    private void sendInOrder(Runnable sending) {
        SendSlot slot = order.next();
        if (slot.isTurn()) {
            sendAndLeave(slot, sending);
            return;
        }
        long begun = platform.ticker().nanos();
        VirtualThreadStarter.start(
                "fusebox-client-message",
                () -> {
                    slot.await(
                            platform,
                            () -> MAX_ORDER_WAIT.toNanos() - (platform.ticker().nanos() - begun));
                    sendAndLeave(slot, sending);
                },
                () -> sendAndLeave(slot, sending));
    }

    private static void sendAndLeave(SendSlot slot, Runnable sending) {
        try {
            sending.run();
        } finally {
            slot.release();
        }
    }

    /// The negotiated revision; the newest until there is one.
    public ProtocolRevision revision() {
        return handshake.revision();
    }

    /// Whether a server process holds state of this client only.
    boolean holdsState() {
        return server.holdsState();
    }

    /// The number of requests in flight.
    public int inFlight() {
        return running.get();
    }

    /// Rejects new requests; those in flight continue.
    void drain() {
        pendingCalls.close();
    }

    /// Sets the callback for the moments when the last request has been answered. It must not block.
    void onQuiet(Runnable action) {
        onQuiet = action;
    }

    /// Cancels all calls, because the client no longer waits for responses.
    void giveUp() {
        pendingCalls.deadlines().forEach(Deadline::giveUp);
    }

    /// Ends the session: the server is stopped, and calls in flight fail.
    public void close() {
        server.close();
        serverRequests.clear();
    }

    // ---- Messages of the server

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        // The client was active last: each of its messages outside of calls grants a new budget.
        ServerRequestLimit.Budget alone = unrelatedBudget;
        String method = request.method();
        boolean isOfNoCall = pendingCalls.isEmpty() || method.equals(ServerRequestLimit.ROOTS);
        boolean isAllowed = isOfNoCall ? alone.tryTake(method) : pendingCalls.tryAsk(method);
        if (!isAllowed) {
            alone.refuse();
        }
        return isAllowed && ask(replyHandler, request, pendingCalls.deadlines(), related());
    }

    @Override
    public boolean askedOutsideOfCalls(ReplyHandler replyHandler, Message.Request request) {
        ServerRequestLimit.Budget alone = unrelatedBudget;
        boolean isAllowed = alone.tryTake(request.method());
        if (!isAllowed) {
            alone.refuse();
        }
        return isAllowed && ask(replyHandler, request, List.of(), related());
    }

    private boolean ask(
            ReplyHandler replyHandler, Message.Request request, List<Deadline> waiting, ClientChannel clientChannel) {
        RequestId id = serverRequests.ask(replyHandler, request.id(), waiting);
        if (id == null) {
            return false;
        }
        JsonView frame = request.frame();
        clientChannel.send(
                Splice.of(frame).replace(frame.member("id"), id.json()).bytes());
        return true;
    }

    /// The client as a server can reach it during one call.
    private final class ClientInCall implements Caller {
        private final PendingCalls.Ongoing ongoing;
        private final ProgressGate progress;

        ClientInCall(PendingCalls.Ongoing ongoing) {
            this.ongoing = ongoing;
            this.progress = new ProgressGate(ongoing.clientChannel()::send);
        }

        /// Called when the response is about to be sent.
        void closeProgress() {
            progress.close();
        }

        @Override
        public void progress(byte[] frame) {
            progress.send(frame);
        }

        @Override
        public void onNotification(Message.Notification notification) {
            ongoing.clientChannel().send(notification.frame().bytes());
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            boolean isAllowed = ongoing.questions().tryTake(question.method());
            if (!isAllowed) {
                ongoing.questions().refuse();
            }
            return isAllowed && ask(replyHandler, question, List.of(ongoing.deadline()), ongoing.clientChannel());
        }

        @Override
        public void withdraw(RequestId question) {
            RequestId known = serverRequests.cancel(question);
            if (known != null) {
                takeBack(known, "no response is needed any more");
            }
        }
    }

    private void unanswered(RequestId known, ServerRequests.PendingRequest pendingRequest) {
        String late =
                "the client did not answer within " + settings.clientWait().toSeconds() + " s";
        pendingRequest
                .replyHandler()
                .sendOneWay(JsonRpcFrames.error(pendingRequest.asked(), JsonRpcErrorCode.INTERNAL_ERROR, late, null));
        takeBack(known, "timed out waiting for the response");
    }

    private void takeBack(RequestId known, String reason) {
        String params = "{\"requestId\":" + known.json() + ",\"reason\":\"" + reason + "\"}";
        unrelated.send(JsonRpcFrames.notification("notifications/cancelled", params));
    }

    @Override
    public void onNotification(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" -> withdraw(notification);
            case "notifications/message" -> related().send(notification.frame().bytes());
            default -> unrelated.send(notification.frame().bytes());
        }
    }

    private void withdraw(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        RequestId asked = id == null ? null : RequestId.read(id);
        RequestId known = asked == null ? null : serverRequests.cancel(asked);
        if (known != null) {
            unrelated.send(
                    Splice.of(notification.frame()).replace(id, known.json()).bytes());
        }
    }

    /// A message that a server sends during its only call belongs to that call; with several calls it is
    /// ambiguous.
    private ClientChannel related() {
        PendingCalls.Ongoing only = pendingCalls.only();
        return only == null ? unrelated : only.clientChannel();
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        serverRequests.removeAll(connection).forEach(known -> takeBack(known, "the server disconnected"));
    }
}
