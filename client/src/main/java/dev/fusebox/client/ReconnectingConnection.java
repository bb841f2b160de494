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
import org.jspecify.annotations.Nullable;

/// One client's server: connects when it is first needed, and again after the connection was lost. Thread-safe;
/// calls block for as long as the caller has patience.
///
/// The first handshake is the client's own. When the server has to be started again, the same handshake is
/// repeated, so the client notices nothing but what the server forgot. Connecting is one virtual thread's work,
/// whoever waits for it: a caller that leaves, or whose time is over, takes nothing away from the others.
public final class ReconnectingConnection {
    /// The answer of a server to an unknown session (revision 2025-11-25, section "Session Management").
    private static final Integer NOT_FOUND = 404;

    /// Whoever is as unlucky more often than that may hear of it.
    private static final int MOST_WITHDRAWALS = 3;

    private final Platform platform;
    private final Connector connector;
    private final ServerMessageHandler handler;
    private final Duration connectTimeout;
    private final Handshake introduction = new Handshake();
    private final AtomicReference<@Nullable Promise<Attempt>> current = new AtomicReference<>();
    private ConnectionListener listener = ConnectionListener.NONE;

    /// What a new process is asked first; null if it is called at once, or greeted.
    private volatile Message.@Nullable Request opening;

    private volatile @Nullable Connection beginning;

    /// The connection on which a server has answered the handshake with an error, as long as it is wanted.
    private final AtomicReference<PreconnectedConnector.@Nullable Kept> refused = new AtomicReference<>();

    private volatile boolean keepsRefused;
    private volatile boolean closed;

    /// How often it was started over.
    private final AtomicInteger overs = new AtomicInteger();

    /// A connection, or why there is none.
    private sealed interface Attempt {
        /// @param observed hears what comes from the connection
        /// @param since when calls could be made, by the monotonic clock
        record Connected(
                Connection connection,
                ObservedMessageHandler observed,
                @Nullable JsonView welcome,
                long since) implements Attempt {
            /// Whether the server has sent anything since then, the handshake aside: some servers hang after it.
            boolean isHeardSince(long then) {
                long heardAt = connection.heardAt();
                return heardAt - then > 0 && heardAt - since > 0;
            }
        }

        record Failed(CallFailure failure) implements Attempt {}
    }

    private static final Attempt UNBEGUN = new Attempt.Failed(
            CallFailure.notSent(ErrorCode.INTERNAL, FailureCategory.LOCAL, "connecting failed inside of the gateway"));

    /// What a server shows of itself when it is asked for a sign of life.
    public enum Pulse {
        /// It has said something, or answered.
        FELT,
        /// It has not.
        NONE,
        /// Unknown: the connection is gone and the reason is known elsewhere, or this process stood still.
        GONE
    }

    /// @param connectTimeout how long a server may take for the handshake
    public ReconnectingConnection(
            Platform platform, Connector connector, ServerMessageHandler handler, Duration connectTimeout) {
        this.platform = platform;
        this.connector = connector;
        this.handler = handler;
        this.connectTimeout = connectTimeout;
    }

    /// Begins every connection with this handshake, for a client without one. To be called before the first call.
    public ReconnectingConnection greeting(JsonView initializeParams) {
        introduction.begin(initializeParams);
        return this;
    }

    /// Makes every connection to a process that is opened from now on begin with this question, where there is
    /// no handshake. A result or an error shows that the process has started. A start that fails is then known
    /// before a call is sent.
    public ReconnectingConnection opening(Message.Request question) {
        opening = question;
        return this;
    }

    /// Has this witness told of every connection. To be called before the first call.
    public ReconnectingConnection watchedBy(ConnectionListener other) {
        listener = other;
        return this;
    }

    /// Has the first connection kept if the server refuses the handshake on it with an error, for [#handOver]. To
    /// be called before the first call.
    public ReconnectingConnection keepingRefused() {
        keepsRefused = true;
        return this;
    }

    /// Hands the connection, which no call may be using, to another client of the server. Null if there is none.
    public @Nullable PreconnectedConnector handOver() {
        PreconnectedConnector.Kept kept = refused.getAndSet(null);
        if (kept != null) {
            return new PreconnectedConnector(connector, kept);
        }
        Promise<Attempt> known = current.get();
        return known != null
                        && known.now() instanceof Attempt.Connected connected
                        && connected.connection().isAlive()
                        && current.compareAndSet(known, null)
                ? new PreconnectedConnector(
                        connector, new PreconnectedConnector.Kept(connected.connection(), connected.observed()))
                : null;
    }

    /// Whether the server has said anything since then, or answers now.
    ///
    /// @param since by the monotonic clock
    /// @param question that every server answers
    public Pulse pulse(long since, Call question) {
        Attempt.Connected connected = established();
        if (connected == null) {
            return Pulse.GONE;
        }
        if (connected.isHeardSince(since)) {
            return Pulse.FELT;
        }
        Outcome outcome = connected.connection().call(question);
        if (outcome instanceof Outcome.Answered || connected.isHeardSince(since)) {
            return Pulse.FELT;
        }
        boolean isKnown = connected.connection().isAlive() && !isOurDoing(outcome);
        return isKnown ? Pulse.NONE : Pulse.GONE;
    }

    /// Whoever stood still has seen nothing.
    private static boolean isOurDoing(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.category() == FailureCategory.LOCAL
                && failure.delivery() == Delivery.UNKNOWN;
    }

    /// Whether the server has said anything since then, by the monotonic clock.
    public boolean heardSince(long then) {
        Attempt.Connected connected = established();
        return connected != null && connected.isHeardSince(then);
    }

    /// Lets go of the connection that there is, and ends it; the next call opens another at once, however long the
    /// end takes.
    public void disconnect() {
        Promise<Attempt> known = current.get();
        if (known != null && known.now() instanceof Attempt.Connected connected && current.compareAndSet(known, null)) {
            connected.connection().close();
        }
    }

    /// The same for a connection on which hands are still being shaken as well.
    public void startOver() {
        // First: whoever is about to shake hands looks at it after it can be found.
        overs.incrementAndGet();
        close(beginning);
        disconnect();
    }

    /// Makes the call on the connection, which is opened if there is none.
    public Outcome call(Call call) {
        Outcome outcome = callOnce(call);
        for (int again = 0; again < MOST_WITHDRAWALS && isWithdrawn(outcome); again++) {
            outcome = callOnce(call);
        }
        // A server that says so in the words of the specification has done nothing: a new session may ask again.
        return isSessionLost(outcome) ? callOnce(call) : outcome;
    }

    /// The connection was let go of in the moment in which the call got hold of it.
    private static boolean isWithdrawn(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure) && failure.isWithdrawn();
    }

    private static boolean isSessionLost(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.code() == ErrorCode.SESSION_LOST
                && NOT_FOUND.equals(failure.evidence().httpStatus());
    }

    private Outcome callOnce(Call call) {
        call.slot().toConnection(this);
        Attempt attempt = established() == null ? connecting(call) : connection(call.deadline());
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
        }
        return outcome;
    }

    /// The connection is waited for.
    private Attempt connecting(Call call) {
        call.slot().connecting();
        CallStep step = CallStep.begin(CallStep.Type.CONNECT);
        Attempt attempt = connection(call.deadline());
        step.end(attempt instanceof Attempt.Failed(CallFailure failure) ? failure : null);
        return attempt;
    }

    /// A connection that is ended by us fails its calls as cancelled; these were ended by an operator's restart.
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

    /// Notes that client and server have shaken hands with this request, and which revision they agreed on:
    /// servers that are started later begin with the same.
    public void agreed(Message.Request initialize, @Nullable String revision) {
        introduction.agreed(initialize.params(), revision);
    }

    /// The server's answer to the handshake made for the client; connects first if there is no connection.
    public Welcome welcome(Deadline deadline) {
        return switch (connection(deadline)) {
            case Attempt.Failed failed -> new Welcome.Refused(failed.failure());
            case Attempt.Connected connected -> new Welcome.Greeted(connected.welcome());
        };
    }

    /// How a handshake ended. Immutable.
    public sealed interface Welcome {
        /// There was one.
        ///
        /// @param result of `initialize`; null if the client has made, or makes, its own handshake
        record Greeted(@Nullable JsonView result) implements Welcome {}

        /// There was none.
        record Refused(CallFailure failure) implements Welcome {}
    }

    /// Sends a notification if there is a connection; one that is gone has nobody to tell.
    public void tell(byte[] notification) {
        Connection connection = connected();
        if (connection != null) {
            connection.tell(notification);
        }
    }

    /// The connection; null if there is none at the moment.
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

    /// Ends the connection; nothing is opened any more.
    public void close() {
        closed = true;
        close(beginning);
        close(connected());
        closeRefused();
    }

    private void closeRefused() {
        PreconnectedConnector.Kept kept = refused.getAndSet(null);
        if (kept != null) {
            kept.connection().close();
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
        VirtualThreadStarter.start("fusebox-connect", () -> connect(mine), () -> mine.bring(UNBEGUN));
        return await(mine, deadline);
    }

    /// Somebody connects, or has connected and it still holds.
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
        return CallFailure.notReady(ErrorCode.TIMEOUT, "the server is still starting");
    }

    /// Brings something in any case: whoever waits would wait for ever, and so would all that come later.
    private void connect(Promise<Attempt> promise) {
        int before = overs.get();
        Attempt attempt = UNBEGUN;
        try {
            attempt = connect(before);
            if (attempt instanceof Attempt.Failed(CallFailure failure)) {
                listener.failed(failure);
            }
        } finally {
            promise.bring(attempt);
        }
        // Whoever closed it, or started over, before it could be found has not found it.
        boolean isOver = closed || overs.get() != before;
        if (isOver && attempt instanceof Attempt.Connected connected) {
            connected.connection().close();
        }
    }

    /// @param before how often it had been started over when this attempt began
    private Attempt connect(int before) {
        if (closed) {
            return new Attempt.Failed(ended());
        }
        listener.connecting();
        ObservedMessageHandler observed = new ObservedMessageHandler(handler, listener);
        Opened opened = connector.open(observed);
        Attempt attempt = opened instanceof Opened.Connected(Connection connection)
                ? begun(new PreconnectedConnector.Kept(connection, observed), before)
                : new Attempt.Failed(((Opened.Refused) opened).failure().of(Evidence.Extent.CONNECTING));
        if (attempt instanceof Attempt.Connected connected) {
            connected.connection().begun();
            observed.begin(connected.connection());
        }
        return attempt;
    }

    /// A handshake may take long; whoever closes meanwhile must find the connection.
    ///
    /// @param before how often it had been started over when this attempt began
    private Attempt begun(PreconnectedConnector.Kept opened, int before) {
        Connection connection = opened.connection();
        beginning = connection;
        try {
            if (!closed && overs.get() == before) {
                return greeted(opened);
            }
            connection.close();
            return new Attempt.Failed(closed ? ended() : startedOver());
        } finally {
            beginning = null;
        }
    }

    private static CallFailure startedOver() {
        return CallFailure.notReady(ErrorCode.SERVER_RESTARTED, "the server is being restarted by an operator");
    }

    private static CallFailure ended() {
        return CallFailure.notSent(ErrorCode.CANCELLED, FailureCategory.LOCAL, "the session has ended");
    }

    /// A server that was started again is told what its predecessor was told.
    private Attempt greeted(PreconnectedConnector.Kept opened) {
        Connection connection = opened.connection();
        // For all that is asked before the first call.
        Deadline deadline = new Deadline(connectTimeout, Duration.ZERO, platform.ticker());
        Message.Request handshake = introduction.handshake();
        if (handshake == null) {
            return ungreeted(opened, deadline);
        }
        Outcome outcome = asked(connection, handshake, deadline);
        JsonView welcome = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        String objection = welcome == null ? refusal(outcome) : introduction.objection(welcome);
        if (objection == null) {
            keepsRefused = false;
            connection.tell(JsonRpcFrames.notification("notifications/initialized", null));
            // What of the rest a server refuses, its client would have been refused, too.
            introduction.rest().forEach(request -> asked(connection, request, deadline));
            return connected(opened, welcome);
        }
        leave(opened, outcome);
        CallFailure why =
                outcome instanceof Outcome.Failed(CallFailure failure) ? failure.unsent() : refused(objection);
        return new Attempt.Failed(why.of(Evidence.Extent.CONNECTING));
    }

    /// Without a handshake. A process answers the opening question first, if there is one.
    private Attempt ungreeted(PreconnectedConnector.Kept opened, Deadline deadline) {
        Connection connection = opened.connection();
        Message.Request question = opening;
        if (question != null
                && connection.process() != null
                && asked(connection, question, deadline) instanceof Outcome.Failed(CallFailure failure)) {
            connection.close();
            return new Attempt.Failed(failure.unsent().of(Evidence.Extent.CONNECTING));
        }
        return connected(opened, null);
    }

    private static Outcome asked(Connection connection, Message.Request request, Deadline deadline) {
        return connection.call(new Call(request, deadline, Caller.SILENT));
    }

    /// After a handshake that came to nothing. A server that answered with an error may still speak the other era.
    private void leave(PreconnectedConnector.Kept opened, Outcome handshake) {
        boolean isError = handshake instanceof Outcome.Answered(Message.Answer answer) && answer.error() != null;
        boolean isKept = isError && keepsRefused && opened.connection().isAlive();
        keepsRefused = false;
        if (isKept) {
            refused.set(opened);
            // A closing thread sets the flag first and looks then: one of the two finds it.
            if (closed) {
                closeRefused();
            }
        } else {
            opened.connection().close();
        }
    }

    private Attempt connected(PreconnectedConnector.Kept opened, @Nullable JsonView welcome) {
        return new Attempt.Connected(
                opened.connection(),
                opened.observed(),
                welcome,
                platform.ticker().nanos());
    }

    /// Its own words stay out: they may repeat what nobody is to be shown.
    private static String refusal(Outcome outcome) {
        JsonView code = outcome instanceof Outcome.Answered(Message.Answer answer)
                ? answer.frame().path("error", "code")
                : null;
        return "the server refused the handshake" + (code == null ? "" : ", with error " + code.json());
    }

    private static CallFailure refused(String why) {
        return CallFailure.notSent(ErrorCode.CONNECT_FAILED, FailureCategory.OTHER, why)
                .by(FailureCause.HANDSHAKE_REFUSED);
    }
}
