package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The lifecycle of one server: applies the rules to events, notifies listeners, and schedules actions.
/// Thread-safe; only [#awaitSettled] blocks.
public final class ServerLifecycle implements ConnectionListener {
    private static final System.Logger LOG = LazyLoggers.of(ServerLifecycle.class);

    private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm");

    private final Platform platform;
    private final String server;
    private final boolean isProcess;
    private final Actions actions;
    private final LifecycleEvent.Listener listener;
    private final Map<Connection, Long> since = new ConcurrentHashMap<>();
    private final CredentialRetry credentials = new CredentialRetry();
    private final Queue<LifecycleEvent> pendingEvents = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean delivering = new AtomicBoolean();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile LifecycleState lifecycleState = LifecycleState.FRESH;
    private volatile LifecycleRules lifecycleRules;
    private @Nullable Timer timer;
    private @Nullable NextAction timed;
    private volatile boolean closed;

    /// Actions that a lifecycle requests from the server. Nothing here may block.
    public interface Actions {
        /// Connects if necessary, and reads the lists.
        void read();

        /// Reads the lists on a new connection.
        default void connected() {
            read();
        }

        /// Checks whether the server answers.
        void poll();
    }

    /// The server and its settings. Immutable.
    ///
    /// @param server its name in the configuration
    public record Subject(String server, LifecycleSettings rules) {}

    public ServerLifecycle(Platform platform, Subject subject, Actions actions, LifecycleEvent.Listener listener) {
        this.platform = platform;
        this.server = subject.server();
        this.isProcess = subject.rules().isProcess();
        this.lifecycleRules = new LifecycleRules(subject.rules(), this::timeOfDay);
        this.actions = actions;
        this.listener = listener;
    }

    /// The current state.
    public ServerHealth health() {
        LifecycleState now = lifecycleState;
        return new ServerHealth(server, now.status(), now.message(), isProcess, now.live(), now.lastFailure());
    }

    /// Waits until the status is settled, or the lifecycle is closed; false on a timeout.
    public boolean awaitSettled(Duration limit) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            return platform.await(limit, this::isSettled);
        } finally {
            waiting.remove(self);
        }
    }

    /// The same with a deadline.
    public boolean awaitSettled(Deadline deadline) throws InterruptedException {
        Thread self = Thread.currentThread();
        deadline.onChange(() -> LockSupport.unpark(self));
        waiting.add(self);
        try {
            platform.await(Duration.ofNanos(Math.max(1, deadline.left())), () -> deadline.isGivenUp() || isSettled());
        } finally {
            waiting.remove(self);
        }
        return isSettled();
    }

    /// Whether the status is settled, or the lifecycle is closed.
    public boolean isSettled() {
        return closed || lifecycleState.status().isSettled();
    }

    // ---- Events

    @Override
    public void connecting() {
        happened(new LifecycleInput.Connecting());
    }

    @Override
    public void connected(Connection connection) {
        since.put(connection, platform.ticker().nanos());
        happened(new LifecycleInput.Connected(connection.process()));
    }

    @Override
    public void failed(CallFailure failure) {
        happened(new LifecycleInput.Failed(failure));
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        lost(connection, failure, null);
    }

    /// The same with a cause.
    ///
    /// @param cause the session whose calls were the only ones on it, if others share the server; otherwise null
    public void lost(Connection connection, CallFailure failure, @Nullable Object cause) {
        Long begun = since.remove(connection);
        long lived = begun == null ? 0 : platform.ticker().nanos() - begun;
        happened(new LifecycleInput.Ended(failure, connection.process(), Duration.ofNanos(lived), cause));
    }

    /// Whether the server is a local process.
    public boolean isProcess() {
        return isProcess;
    }

    @Override
    public void stateLost(StateLost loss) {
        offers(new LifecycleEvent.StateLost(loss.process(), loss.next(), loss.reason()));
    }

    /// The outcome of a call, after its last attempt.
    public void called(Outcome outcome) {
        switch (outcome) {
            case Outcome.Answered answered -> answered(LifecycleInput.Detector.CALL);
            case Outcome.Failed(CallFailure failure) -> happened(new LifecycleInput.CallFailed(failure));
        }
    }

    /// The outcome of a health check.
    public void polled(Outcome outcome) {
        switch (outcome) {
            case Outcome.Answered answered -> answered(LifecycleInput.Detector.POLL);
            case Outcome.Failed(CallFailure failure) -> happened(new LifecycleInput.CallFailed(failure));
        }
    }

    /// Most answers come from a healthy server, and cost nothing here.
    private void answered(LifecycleInput.Detector detector) {
        LifecycleState now = lifecycleState;
        if (now.status().isDown() || now.isPutOff()) {
            happened(new LifecycleInput.Answered(detector));
        }
    }

    /// The server did not answer a ping.
    public void silent() {
        happened(new LifecycleInput.Silent());
    }

    /// The number of restarts by an operator, to be passed to [#read] and [#unread].
    public int restarts() {
        return lifecycleState.history().restarts();
    }

    /// The lists were read, and are not announced yet.
    ///
    /// @param restarts the value of [#restarts] when reading began
    public void read(int restarts) {
        happened(new LifecycleInput.Read(restarts));
    }

    /// The lists were announced.
    public void listsAnnounced() {
        happened(new LifecycleInput.ListsAnnounced());
    }

    /// The lists could not be read.
    ///
    /// @param restarts the value of [#restarts] when reading began
    public void unread(int restarts, CallFailure failure) {
        happened(new LifecycleInput.ListsFailed(restarts, failure));
    }

    /// An operator requests a connection.
    ///
    /// @param afresh whether to clear the failure history
    public void command(String message, boolean afresh) {
        happened(new LifecycleInput.OperatorRequested(message, afresh));
    }

    /// A login to the server was made.
    public void loggedIn() {
        happened(new LifecycleInput.LoggedIn());
    }

    /// The server is new or changed, and is started now. The caller announces it, not this thread, so that this
    /// may be called under a lock.
    ///
    /// @param announced the status that was announced until now
    public void begin(ServerStatus announced, String message) {
        noted(new LifecycleInput.Added(announced, message));
    }

    /// Replaces the settings.
    public void govern(LifecycleSettings rules) {
        lifecycleRules = new LifecycleRules(rules, this::timeOfDay);
        happened(new LifecycleInput.SettingsChanged());
    }

    /// Publishes an event about the server's tools.
    public void offers(LifecycleEvent event) {
        pendingEvents.add(event);
        deliverEvents();
    }

    /// The failure if no connection may be opened; null if one may.
    public @Nullable CallFailure rejection() {
        LifecycleState now = lifecycleState;
        return now.status() == ServerStatus.PERMANENTLY_FAILED
                ? new CallFailure(
                        ErrorId.PERMANENTLY_FAILED,
                        FailureCategory.POLICY,
                        Delivery.NOT_SENT,
                        givenUp(now),
                        lastSeen(now))
                : null;
    }

    /// Whether its process has ended, and will be restarted when that is due or requested.
    public boolean isUnavailable() {
        LifecycleState now = lifecycleState;
        return now.status() == ServerStatus.RESTARTING
                || now.status() == ServerStatus.PERMANENTLY_FAILED
                || now.isLeftToCalls();
    }

    /// Whether it has ever been connected.
    public boolean wasConnected() {
        return lifecycleState.history().greeted();
    }

    // ---- Admission of calls

    /// The failure if calls are rejected now; null if they are admitted.
    public @Nullable CallFailure refusal() {
        LifecycleState now = lifecycleState;
        boolean isRefused = now.status() == ServerStatus.REQUIRES_REAUTH
                && !credentials.tryNow(platform.ticker().nanos());
        return isRefused ? reauth(now) : rejection();
    }

    /// Whether a call would be rejected now. Unlike [#refusal] it does not use up the retry of rejected
    /// credentials.
    public boolean isRefusing() {
        boolean isWaiting = lifecycleState.status() == ServerStatus.REQUIRES_REAUTH
                && !credentials.left(platform.ticker().nanos()).isZero();
        return isWaiting || rejection() != null;
    }

    /// The evidence of the last failure, so that rejected callers see the cause.
    private static Evidence lastSeen(LifecycleState now) {
        CallFailure last = now.lastFailure();
        return last == null ? Evidence.NONE : last.evidence();
    }

    private String givenUp(LifecycleState now) {
        NextAction nextAction = now.nextAction();
        long minutes = nextAction == null
                ? 0
                : Duration.ofNanos(nextAction.at() - platform.ticker().nanos()).toMinutes() + 1;
        return server + " is not restarted: " + now.message() + ". Use another tool, or tell the user:"
                + " `" + FuseboxCommand.onGateway("restart", server)
                + "` starts it at once; the gateway tries again "
                + (nextAction == null ? "later" : "within " + minutes + " min");
    }

    private CallFailure reauth(LifecycleState now) {
        Duration left = credentials.left(platform.ticker().nanos());
        Instant next = platform.wallClock().instant().plus(left).plusMillis(1).truncatedTo(ChronoUnit.MILLIS);
        CallFailure last = now.lastFailure();
        boolean isLogin =
                last != null && (last.id() == ErrorId.LOGIN_REQUIRED || last.id() == ErrorId.HEADERS_HELPER_FAILED);
        String remedy = isLogin
                ? ""
                : ". Correct its credentials in the configuration, then run `"
                        + FuseboxCommand.onGateway("connect", server) + "`";
        String message = server + ": " + now.message() + remedy + "; the first call after " + next + " (in "
                + (left.toMillis() + 1)
                + " ms) tries the current ones again";
        Evidence seen = lastSeen(now).retryAfter(left.plusMillis(1));
        ErrorId id = last != null && last.code() == ErrorCode.AUTH_REQUIRED ? last.id() : ErrorId.HTTP_401;
        return new CallFailure(id, FailureCategory.AUTH, Delivery.NOT_SENT, message, seen);
    }

    /// The wall-clock time of a moment of the monotonic clock, for example `08:23`.
    private String timeOfDay(long nanos) {
        Instant then = platform.wallClock()
                .instant()
                .plusNanos(nanos - platform.ticker().nanos());
        return TIME_OF_DAY.format(then.atZone(ZoneId.systemDefault()));
    }

    // ---- Scheduled actions

    private void happened(LifecycleInput input) {
        noted(input);
        waiting.forEach(LockSupport::unpark);
        deliverEvents();
    }

    private synchronized void noted(LifecycleInput input) {
        if (closed) {
            return;
        }
        try {
            LifecycleRules.Step step = lifecycleRules.next(
                    lifecycleState,
                    input,
                    platform.ticker().nanos(),
                    platform.random().nextDouble());
            lifecycleState = step.lifecycleState();
            noteCredentials(input, lifecycleState.status());
            pendingEvents.addAll(step.events());
            plan(step.lifecycleState().nextAction());
        } catch (IllegalStateException bug) {
            LOG.log(Level.ERROR, server + ": unexpected lifecycle input " + input + " (internal error)", bug);
        }
    }

    private void noteCredentials(LifecycleInput input, ServerStatus status) {
        if (status == ServerStatus.REQUIRES_REAUTH) {
            credentials.refused(platform.ticker().nanos());
        } else if (LifecycleRules.READY.contains(status) || isRequest(input)) {
            credentials.clear();
        }
    }

    private static boolean isRequest(LifecycleInput input) {
        return input instanceof LifecycleInput.OperatorRequested || input instanceof LifecycleInput.LoggedIn;
    }

    /// In the order of the events, on whichever thread delivers them.
    private void deliverEvents() {
        while (!pendingEvents.isEmpty() && delivering.compareAndSet(false, true)) {
            try {
                for (LifecycleEvent event = pendingEvents.poll(); event != null; event = pendingEvents.poll()) {
                    listener.happened(server, event);
                }
            } finally {
                delivering.set(false);
            }
        }
    }

    private void plan(@Nullable NextAction nextAction) {
        if (nextAction == null ? timed == null : nextAction.equals(timed)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timed = null;
        timer = null;
        if (nextAction != null) {
            begin(nextAction);
        }
    }

    /// An action that could not be scheduled is scheduled with the next event.
    private void begin(NextAction nextAction) {
        try {
            Duration left = Duration.ofNanos(nextAction.at() - platform.ticker().nanos());
            timer = platform.timers()
                    .schedule(
                            left,
                            () -> VirtualThreadStarter.start(
                                    "fusebox-lifecycle", () -> timerFired(nextAction), () -> timerFired(nextAction)));
            timed = nextAction;
        } catch (RuntimeException | Error unplanned) {
            LOG.log(Level.ERROR, server + ": cannot schedule the next lifecycle action", unplanned);
        }
    }

    private void timerFired(NextAction nextAction) {
        synchronized (this) {
            if (closed || !nextAction.equals(timed)) {
                return;
            }
            timed = null;
        }
        happened(new LifecycleInput.TimerFired(nextAction));
        switch (nextAction.kind()) {
            case POLL, PING -> actions.poll();
            case RESTART, REREAD, SELF_PROBE -> actions.read();
        }
    }

    /// Ignores further events and cancels scheduled actions.
    public void close() {
        synchronized (this) {
            closed = true;
            if (timer != null) {
                timer.cancel();
            }
        }
        waiting.forEach(LockSupport::unpark);
    }
}
