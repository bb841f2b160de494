package dev.fusebox.client;

import dev.fusebox.client.Connector.Opened;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A client's connection to one server: it connects when it is first needed, and again after the connection was
/// lost. Thread-safe; calls block at most until their deadlines.
///
/// The first handshake is the client's own. When the server has to be restarted, the same handshake is
/// repeated, so that the client notices only the server's lost state. Connecting is done by one virtual thread
/// for all waiting callers: a caller that leaves, or whose deadline passes, does not affect the others.
public final class ReconnectingConnection {
    /// The answer of a server to an unknown session (revision 2025-11-25, section "Session Management").
    private static final Integer NOT_FOUND = 404;

    /// Most repetitions of a call whose connection was closed before it could be sent.
    private static final int MAX_WITHDRAWALS = 3;

    private final Platform platform;
    private final Connector connector;
    private final ServerMessageHandler handler;
    private final Duration connectTimeout;
    private final Handshake introduction = new Handshake();
    private final AtomicReference<@Nullable Promise<Attempt>> current = new AtomicReference<>();
    private ConnectionListener listener = ConnectionListener.NONE;

    /// First request to a new process; null if it is called at once, or gets a handshake.
    private volatile @Nullable OpeningRequest opening;

    private volatile @Nullable Connection beginning;

    /// The connection on which a server has rejected the handshake, as long as it may be handed over.
    private final AtomicReference<PreconnectedConnector.@Nullable OpenConnection> refused = new AtomicReference<>();

    private volatile boolean keepsRefused;
    private volatile boolean closed;

    /// How often [#startOver] was called.
    private final AtomicInteger overs = new AtomicInteger();

    /// A connection, or the failure to connect.
    private sealed interface Attempt {
        /// @param observed receives what comes from the connection
        /// @param since when calls could be made, by the monotonic clock
        record Connected(
                Connection connection,
                ObservedMessageHandler observed,
                @Nullable JsonView initializeResult,
                long since) implements Attempt {
            /// Whether the server has sent anything since then, besides the handshake: some hang after it.
            boolean isHeardSince(long then) {
                long heardAt = connection.lastReceivedAt();
                return heardAt - then > 0 && heardAt - since > 0;
            }
        }

        record Failed(CallFailure failure) implements Attempt {}
    }

    private static final Attempt UNBEGUN = new Attempt.Failed(
            CallFailure.notSent(ErrorId.INTERNAL, FailureCategory.LOCAL, "internal error while connecting"));

    /// @param connectTimeout time limit of the handshake
    public ReconnectingConnection(
            Platform platform, Connector connector, ServerMessageHandler handler, Duration connectTimeout) {
        this.platform = platform;
        this.connector = connector;
        this.handler = handler;
        this.connectTimeout = connectTimeout;
    }

    /// Begins every connection with this handshake, for a client without one. Called before the first call.
    public ReconnectingConnection greeting(JsonView initializeParams) {
        introduction.begin(initializeParams);
        return this;
    }

    /// Sets a request that is sent first on every new connection to a process, where there is no handshake.
    ///
    /// @param isAccepted whether calls may follow an answer
    public ReconnectingConnection opening(Message.Request question, Predicate<Outcome> isAccepted) {
        opening = new OpeningRequest(question, isAccepted);
        return this;
    }

    /// Sets the listener of every connection. To be called before the first call.
    public ReconnectingConnection watchedBy(ConnectionListener other) {
        listener = other;
        return this;
    }

    /// Keeps the first connection if the server rejects its handshake, for [#handOver]. Called before the first
    /// call.
    public ReconnectingConnection keepingRefused() {
        keepsRefused = true;
        return this;
    }

    /// Transfers the connection, which no call may use, to another client of the server. Null if there is none.
    public @Nullable PreconnectedConnector handOver() {
        PreconnectedConnector.OpenConnection openConnection = refused.getAndSet(null);
        if (openConnection != null) {
            return new PreconnectedConnector(connector, openConnection);
        }
        Promise<Attempt> known = current.get();
        return known != null
                        && known.now() instanceof Attempt.Connected connected
                        && connected.connection().isAlive()
                        && current.compareAndSet(known, null)
                ? new PreconnectedConnector(
                        connector,
                        new PreconnectedConnector.OpenConnection(connected.connection(), connected.observed()))
                : null;
    }

    /// Whether the server has sent anything since then, or answers a request now. Blocks for the answer.
    ///
    /// @param since by the monotonic clock
    /// @param question a request that every server answers
    public HealthCheckResult checkHealth(long since, Call question) {
        Attempt.Connected connected = established();
        if (connected == null) {
            return HealthCheckResult.UNKNOWN;
        }
        if (connected.isHeardSince(since)) {
            return HealthCheckResult.ALIVE;
        }
        Outcome outcome = connected.connection().call(question);
        if (outcome instanceof Outcome.Answered || connected.isHeardSince(since)) {
            return HealthCheckResult.ALIVE;
        }
        boolean isKnown = connected.connection().isAlive() && !isOurDoing(outcome);
        return isKnown ? HealthCheckResult.SILENT : HealthCheckResult.UNKNOWN;
    }

    /// A process that was suspended could not receive an answer.
    private static boolean isOurDoing(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.category() == FailureCategory.LOCAL
                && failure.delivery() == Delivery.UNKNOWN;
    }

    /// Whether the server has sent anything since then, by the monotonic clock.
    public boolean hasReceivedSince(long then) {
        Attempt.Connected connected = established();
        return connected != null && connected.isHeardSince(then);
    }

    /// Closes the current connection; the next call opens another immediately, regardless of the duration of the
    /// close.
    public void disconnect() {
        Promise<Attempt> known = current.get();
        if (known != null && known.now() instanceof Attempt.Connected connected && current.compareAndSet(known, null)) {
            connected.connection().close();
        }
    }

    /// The same, including a connection whose handshake is in progress.
    public void startOver() {
        // First: a thread that begins a handshake checks it after its connection has become visible.
        overs.incrementAndGet();
        close(beginning);
        disconnect();
    }

    /// Makes the call on the connection, which is opened if there is none. Blocks at most until the deadline of
    /// the call.
    public Outcome call(Call call) {
        Outcome outcome = callOnce(call);
        for (int again = 0; again < MAX_WITHDRAWALS && isConnectionRetired(outcome); again++) {
            outcome = callOnce(call);
        }
        // A server that reports an unknown session has not executed the call.
        return isSessionLost(outcome) ? callOnce(call) : outcome;
    }

    /// Whether the connection was closed in the moment in which the call got hold of it.
    private static boolean isConnectionRetired(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure) && failure.isConnectionRetired();
    }

    private static boolean isSessionLost(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.id() == ErrorId.SESSION_LOST
                && NOT_FOUND.equals(failure.evidence().httpStatus());
    }

    private Outcome callOnce(Call call) {
        call.slot().toConnection(this);
        Attempt attempt = attempt(call);
        if (!(attempt instanceof Attempt.Connected connected)) {
            return new Outcome.Failed(((Attempt.Failed) attempt).failure());
        }
        call.slot().toConnection(this);
        int before = overs.get();
        Outcome outcome = connected.connection().call(call);
        if (overs.get() != before) {
            outcome = restarted(outcome);
        }
        if (isResult(outcome)) {
            introduction.answered(call.request());
            call.caller().answeredOn(connected.connection());
        }
        return outcome;
    }

    private Attempt attempt(Call call) {
        Attempt.Connected connected = established();
        Connection required = call.caller().requiredConnection();
        if (required == null) {
            return connected == null ? connecting(call) : connection(call.deadline());
        }
        return connected != null && connected.connection().equals(required)
                ? connected
                : new Attempt.Failed(CallFailure.processGone());
    }

    /// Waits for the connection.
    private Attempt connecting(Call call) {
        call.slot().connecting();
        CallStep step = CallStep.begin(CallStep.Type.CONNECT);
        Attempt attempt = connection(call.deadline());
        step.end(attempt instanceof Attempt.Failed(CallFailure failure) ? failure : null);
        return attempt;
    }

    /// Closing a connection fails its calls as cancelled; these were ended by an operator's restart.
    private static Outcome restarted(Outcome outcome) {
        boolean isEnded = outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.code() == ErrorCode.CANCELLED
                && failure.category() == FailureCategory.LOCAL;
        return isEnded && outcome instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.restarted())
                : outcome;
    }

    private static boolean isResult(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered && answered.answer().result() != null;
    }

    /// Notes the handshake that client and server have completed, and the revision that they agreed on:
    /// restarted servers get the same handshake.
    public void initialized(Message.Request initialize, @Nullable String revision) {
        introduction.initialized(initialize.params(), revision);
    }

    /// The server's answer to the handshake made for the client; connects first if there is no connection.
    /// Blocks at most until the deadline.
    public HandshakeResult initialize(Deadline deadline) {
        return switch (connection(deadline)) {
            case Attempt.Failed failed -> new HandshakeResult.Refused(failed.failure());
            case Attempt.Connected connected -> new HandshakeResult.Completed(connected.initializeResult());
        };
    }

    /// The result of a handshake. Immutable.
    public sealed interface HandshakeResult {
        /// The handshake was completed.
        ///
        /// @param result of `initialize`; null if the client has made, or makes, its own handshake
        record Completed(@Nullable JsonView result) implements HandshakeResult {}

        /// The handshake failed.
        record Refused(CallFailure failure) implements HandshakeResult {}
    }

    /// Sends a notification if there is a connection; without one it is dropped.
    public void sendNotification(byte[] notification) {
        Connection connection = connected();
        if (connection != null) {
            connection.sendOneWay(notification);
        }
    }

    /// The current connection; null if there is none.
    public @Nullable Connection connected() {
        Attempt.Connected connected = established();
        return connected == null ? null : connected.connection();
    }

    private Attempt.@Nullable Connected established() {
        Promise<Attempt> promise = current.get();
        return promise != null
                        && promise.now() instanceof Attempt.Connected connected
                        && connected.connection().isAlive()
                ? connected
                : null;
    }

    /// Closes the connection for good.
    public void close() {
        closed = true;
        close(beginning);
        close(connected());
        closeRefused();
    }

    private void closeRefused() {
        PreconnectedConnector.OpenConnection openConnection = refused.getAndSet(null);
        if (openConnection != null) {
            openConnection.connection().close();
        }
    }

    private static void close(@Nullable Connection connection) {
        if (connection != null) {
            connection.close();
        }
    }

    // ---- Connecting

    private Attempt connection(Deadline deadline) {
        CallFailure refusal = connector.refusal();
        return refusal == null ? anyConnection(deadline) : new Attempt.Failed(refusal);
    }

    private Attempt anyConnection(Deadline deadline) {
        Promise<Attempt> known = current.get();
        if (known != null && isUsable(known)) {
            Attempt attempt = known.now();
            return attempt != null ? attempt : await(known, deadline);
        }
        Promise<Attempt> mine = new Promise<>();
        if (!current.compareAndSet(known, mine)) {
            return anyConnection(deadline);
        }
        VirtualThreadStarter.start("fusebox-connect", () -> connect(mine), () -> mine.complete(UNBEGUN));
        return await(mine, deadline);
    }

    /// Whether the attempt is in progress, or its connection is still alive.
    private static boolean isUsable(Promise<Attempt> promise) {
        return switch (promise.now()) {
            case null -> true;
            case Attempt.Connected connected -> connected.connection().isAlive();
            case Attempt.Failed failed -> false;
        };
    }

    private Attempt await(Promise<Attempt> promise, Deadline deadline) {
        try {
            Attempt attempt = deadline.await(promise, platform);
            if (attempt != null) {
                return attempt;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new Attempt.Failed(deadline.isGivenUp() ? CallFailure.cancelledUnsent() : stillConnecting());
    }

    private static CallFailure stillConnecting() {
        return CallFailure.notReady(ErrorId.CALL_TIMEOUT, "the server is still starting");
    }

    /// Completes the promise in any case: otherwise its waiters, and all later callers, would wait forever.
    private void connect(Promise<Attempt> promise) {
        int before = overs.get();
        Attempt attempt = UNBEGUN;
        try {
            attempt = connect(before);
            if (attempt instanceof Attempt.Failed(CallFailure failure)) {
                listener.failed(failure);
            }
        } finally {
            promise.complete(attempt);
        }
        // A close or a start-over before the connection became visible has not seen it. One that was handed over since
        // belongs to another.
        boolean isOver = closed || overs.get() != before;
        if (isOver && promise.equals(current.get()) && attempt instanceof Attempt.Connected connected) {
            connected.connection().close();
        }
    }

    /// @param before value of the start-over counter when this attempt began
    private Attempt connect(int before) {
        if (closed) {
            return new Attempt.Failed(ended());
        }
        listener.connecting();
        ObservedMessageHandler observed = new ObservedMessageHandler(handler, listener);
        Opened opened = connector.open(observed);
        Attempt attempt = opened instanceof Opened.Connected(Connection connection)
                ? begun(new PreconnectedConnector.OpenConnection(connection, observed), before)
                : new Attempt.Failed(((Opened.Refused) opened).failure().of(Evidence.Extent.CONNECTING));
        if (attempt instanceof Attempt.Connected connected) {
            connected.connection().begun();
            observed.begin(connected.connection());
        }
        return attempt;
    }

    /// Makes the connection visible before the handshake, which may take long: a close meanwhile must find it.
    ///
    /// @param before value of the start-over counter when this attempt began
    private Attempt begun(PreconnectedConnector.OpenConnection opened, int before) {
        Connection connection = opened.connection();
        beginning = connection;
        try {
            if (!closed && overs.get() == before) {
                return handshake(opened);
            }
            connection.close();
            return new Attempt.Failed(closed ? ended() : startedOver());
        } finally {
            beginning = null;
        }
    }

    private static CallFailure startedOver() {
        return CallFailure.notReady(ErrorId.SERVER_RESTARTED, "the server is being restarted by an operator");
    }

    private static CallFailure ended() {
        return CallFailure.notSent(ErrorId.CANCELLED, FailureCategory.LOCAL, "the session has ended");
    }

    /// Repeats on a restarted server what its predecessor was sent.
    private Attempt handshake(PreconnectedConnector.OpenConnection opened) {
        Connection connection = opened.connection();
        // For all requests before the first call.
        Deadline deadline = new Deadline(connectTimeout, Duration.ZERO, platform.ticker());
        Message.Request handshake = introduction.handshake();
        if (handshake == null) {
            return withoutHandshake(opened, deadline);
        }
        Outcome outcome = asked(connection, handshake, deadline);
        JsonView initializeResult = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        String problem = initializeResult == null
                ? OpeningRequest.refusal(handshake, outcome)
                : introduction.problem(initializeResult);
        if (problem == null) {
            keepsRefused = false;
            connection.sendOneWay(JsonRpcFrames.notification("notifications/initialized", null));
            // The rest is best effort: the client would have got the same errors.
            introduction.rest().forEach(request -> asked(connection, request, deadline));
            return connected(opened, initializeResult);
        }
        handshakeFailed(opened, outcome);
        CallFailure why = outcome instanceof Outcome.Failed(CallFailure failure) ? failure.unsent() : refused(problem);
        return new Attempt.Failed(why.of(Evidence.Extent.CONNECTING));
    }

    /// Connects without a handshake. A process answers the opening request first, if there is one.
    private Attempt withoutHandshake(PreconnectedConnector.OpenConnection opened, Deadline deadline) {
        Connection connection = opened.connection();
        OpeningRequest question = opening;
        CallFailure failure = question == null || connection.process() == null
                ? null
                : question.failure(asked(connection, question.request(), deadline));
        if (failure != null) {
            connection.close();
            return new Attempt.Failed(failure.unsent().of(Evidence.Extent.CONNECTING));
        }
        return connected(opened, null);
    }

    private static Outcome asked(Connection connection, Message.Request request, Deadline deadline) {
        return connection.call(new Call(request, deadline, Caller.SILENT));
    }

    /// Handles a failed handshake. A server that answered with an error may still speak the other era.
    private void handshakeFailed(PreconnectedConnector.OpenConnection opened, Outcome handshake) {
        boolean isError = handshake instanceof Outcome.Answered(Message.Answer answer) && answer.error() != null;
        boolean isKept = isError && keepsRefused && opened.connection().isAlive();
        keepsRefused = false;
        if (isKept) {
            refused.set(opened);
            // A closing thread sets the flag first and looks here afterwards: one of the two sees the other.
            if (closed) {
                closeRefused();
            }
        } else {
            opened.connection().close();
        }
    }

    private Attempt connected(PreconnectedConnector.OpenConnection opened, @Nullable JsonView initializeResult) {
        return new Attempt.Connected(
                opened.connection(),
                opened.observed(),
                initializeResult,
                platform.ticker().nanos());
    }

    private static CallFailure refused(String why) {
        return CallFailure.of(ErrorId.HANDSHAKE_REFUSED, why);
    }
}
