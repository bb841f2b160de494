package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
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

/// One server's life: notes what happens to it, tells it, and has done what is due. Thread-safe; nothing blocks.
public final class ServerLifecycle implements ConnectionListener {
    private static final System.Logger LOG = LazyLoggers.of(ServerLifecycle.class);

    private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm");

    private final Platform platform;
    private final String server;
    private final boolean isProcess;
    private final Errands errands;
    private final LifecycleEvent.Listener listener;
    private final Map<Connection, Long> since = new ConcurrentHashMap<>();
    private final CredentialRetry credentials = new CredentialRetry();
    private final Queue<LifecycleEvent> untold = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean telling = new AtomicBoolean();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile LifecycleState lifecycleState = LifecycleState.FRESH;
    private volatile LifecycleRules lifecycleRules;
    private @Nullable Timer timer;
    private @Nullable NextAction timed;
    private volatile boolean closed;

    /// What a life has others do. Nothing here may block.
    public interface Errands {
        /// Connects if need be, and reads what the server offers.
        void read();

        /// Reads what the server offers, on a connection that is new.
        default void connected() {
            read();
        }

        /// Asks the server whether it is there.
        void poll();
    }

    /// Whose life it is. Immutable.
    ///
    /// @param server as the configuration names it
    public record Subject(String server, LifecycleSettings rules) {}

    public ServerLifecycle(Platform platform, Subject subject, Errands errands, LifecycleEvent.Listener listener) {
        this.platform = platform;
        this.server = subject.server();
        this.isProcess = subject.rules().isProcess();
        this.lifecycleRules = new LifecycleRules(subject.rules(), this::timeOfDay);
        this.errands = errands;
        this.listener = listener;
    }

    /// How it is.
    public ServerHealth health() {
        LifecycleState now = lifecycleState;
        return new ServerHealth(server, now.status(), now.message(), isProcess, now.live(), now.lastFailure());
    }

    /// Waits until it is known how it is, or nobody will know any more; false if that takes longer.
    public boolean awaitSettled(Duration limit) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            return platform.await(limit, this::isSettled);
        } finally {
            waiting.remove(self);
        }
    }

    /// The same for a caller who may give up.
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

    /// Whether it is known how it is, or nobody will know any more.
    public boolean isSettled() {
        return closed || lifecycleState.status().isSettled();
    }

    // ---- What happens

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

    /// The same.
    ///
    /// @param cause the session whose calls were the only ones on it, if others share the server; otherwise null
    public void lost(Connection connection, CallFailure failure, @Nullable Object cause) {
        Long begun = since.remove(connection);
        long lived = begun == null ? 0 : platform.ticker().nanos() - begun;
        happened(new LifecycleInput.Ended(failure, connection.process(), Duration.ofNanos(lived), cause));
    }

    @Override
    public void stateLost(StateLost loss) {
        offers(new LifecycleEvent.StateLost(loss.process(), loss.next(), loss.reason()));
    }

    /// How a call ended, after its last attempt.
    public void called(Outcome outcome) {
        switch (outcome) {
            case Outcome.Answered answered -> answered(LifecycleInput.By.CALL);
            case Outcome.Failed(CallFailure failure) -> happened(new LifecycleInput.CallFailed(failure));
        }
    }

    /// How the question whether it is there ended.
    public void polled(Outcome outcome) {
        switch (outcome) {
            case Outcome.Answered answered -> answered(LifecycleInput.By.POLL);
            case Outcome.Failed(CallFailure failure) -> happened(new LifecycleInput.CallFailed(failure));
        }
    }

    /// Most answers come from a server that is well, and cost nothing here.
    private void answered(LifecycleInput.By by) {
        LifecycleState now = lifecycleState;
        if (now.status().isDown() || now.isPutOff()) {
            happened(new LifecycleInput.Answered(by));
        }
    }

    /// It was asked for a sign of life and gave none.
    public void silent() {
        happened(new LifecycleInput.Silent());
    }

    /// How often it has been started anew, for whoever begins to read.
    public int restarts() {
        return lifecycleState.history().restarts();
    }

    /// What it offers is read, and not told yet.
    ///
    /// @param restarts what [#restarts] was when that began
    public void read(int restarts) {
        happened(new LifecycleInput.Read(restarts));
    }

    /// What it offers is told to everybody.
    public void told() {
        happened(new LifecycleInput.Told());
    }

    /// What it offers could not be read.
    ///
    /// @param restarts what [#restarts] was when that began
    public void unread(int restarts, CallFailure failure) {
        happened(new LifecycleInput.Unread(restarts, failure));
    }

    /// An operator wants a connection.
    ///
    /// @param afresh whether what went wrong before is forgotten
    public void command(String message, boolean afresh) {
        happened(new LifecycleInput.Commanded(message, afresh));
    }

    /// It is new, or another than before, and is started now. Who does that tells of it, too, and not this thread,
    /// so that this may be called under a lock.
    ///
    /// @param told what everybody was told of it until now
    public void begin(ServerStatus told, String message) {
        noted(new LifecycleInput.Begun(told, message));
    }

    /// It is kept alive by other rules from now on.
    public void govern(LifecycleSettings rules) {
        lifecycleRules = new LifecycleRules(rules, this::timeOfDay);
        happened(new LifecycleInput.Governed());
    }

    /// What a model would have to know of its tools is known.
    public void offers(LifecycleEvent event) {
        untold.add(event);
        tellAll();
    }

    /// Why no connection may be opened; null if one may.
    public @Nullable CallFailure closedDoor() {
        LifecycleState now = lifecycleState;
        return now.status() == ServerStatus.PERMANENTLY_FAILED
                ? new CallFailure(
                        ErrorCode.PERMANENTLY_FAILED,
                        FailureCategory.POLICY,
                        Delivery.NOT_SENT,
                        givenUp(now),
                        lastSeen(now))
                : null;
    }

    /// Whether its process is gone, and will be started when that is due or called for.
    public boolean isAway() {
        LifecycleState now = lifecycleState;
        return now.status() == ServerStatus.RESTARTING
                || now.status() == ServerStatus.PERMANENTLY_FAILED
                || now.isLeftToCalls();
    }

    /// Whether it has ever been connected.
    public boolean wasConnected() {
        return lifecycleState.history().greeted();
    }

    // ---- Whether it may be called

    /// Why nobody may call it now; null if calls are let in.
    public @Nullable CallFailure refusal() {
        LifecycleState now = lifecycleState;
        boolean isRefused = now.status() == ServerStatus.REQUIRES_REAUTH
                && !credentials.tryNow(platform.ticker().nanos());
        return isRefused ? reauth(now) : closedDoor();
    }

    /// Whether a call would be refused now. Unlike [#refusal] it leaves a try of refused credentials to the next
    /// call.
    public boolean isRefusing() {
        boolean isWaiting = lifecycleState.status() == ServerStatus.REQUIRES_REAUTH
                && !credentials.left(platform.ticker().nanos()).isZero();
        return isWaiting || closedDoor() != null;
    }

    /// What was seen when it failed last: whoever is refused can tell what is wrong.
    private static Evidence lastSeen(LifecycleState now) {
        CallFailure last = now.lastFailure();
        return last == null ? Evidence.NONE : last.evidence();
    }

    private String givenUp(LifecycleState now) {
        NextAction nextAction = now.nextAction();
        long minutes = nextAction == null
                ? 0
                : Duration.ofNanos(nextAction.at() - platform.ticker().nanos()).toMinutes() + 1;
        return server + " is not started any more: " + now.message() + ". Use another tool, or tell the user:"
                + " `" + FuseboxCommand.onGateway("restart", server)
                + "` starts it at once, and by itself it is tried again "
                + (nextAction == null ? "later" : "within " + minutes + " min");
    }

    private CallFailure reauth(LifecycleState now) {
        Duration left = credentials.left(platform.ticker().nanos());
        Instant next = platform.wallClock().instant().plus(left).plusMillis(1).truncatedTo(ChronoUnit.MILLIS);
        String message = server + ": " + now.message() + ". Correct its credentials in the configuration, then run"
                + " `" + FuseboxCommand.onGateway("connect", server) + "`; the first call after " + next + " (in "
                + (left.toMillis() + 1)
                + " ms) tries the current ones again";
        Evidence seen = lastSeen(now).retryAfter(left.plusMillis(1));
        return new CallFailure(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.NOT_SENT, message, seen);
    }

    /// What a wall clock shows at that moment of the monotonic clock: `08:23`.
    private String timeOfDay(long nanos) {
        Instant then = platform.wallClock()
                .instant()
                .plusNanos(nanos - platform.ticker().nanos());
        return TIME_OF_DAY.format(then.atZone(ZoneId.systemDefault()));
    }

    // ---- What is due

    private void happened(LifecycleInput input) {
        noted(input);
        waiting.forEach(LockSupport::unpark);
        tellAll();
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
            untold.addAll(step.events());
            plan(step.lifecycleState().nextAction());
        } catch (IllegalStateException bug) {
            LOG.log(Level.ERROR, server + ": " + input + " means nothing here, because of a bug", bug);
        }
    }

    private void noteCredentials(LifecycleInput input, ServerStatus status) {
        if (status == ServerStatus.REQUIRES_REAUTH) {
            credentials.refused(platform.ticker().nanos());
        } else if (LifecycleRules.READY.contains(status) || input instanceof LifecycleInput.Commanded) {
            credentials.clear();
        }
    }

    /// In the order in which it happened, whoever is on the way with it.
    private void tellAll() {
        while (!untold.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (LifecycleEvent event = untold.poll(); event != null; event = untold.poll()) {
                    listener.happened(server, event);
                }
            } finally {
                telling.set(false);
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

    /// What could not be planned is planned with whatever happens next.
    private void begin(NextAction nextAction) {
        try {
            Duration left = Duration.ofNanos(nextAction.at() - platform.ticker().nanos());
            timer = platform.timers()
                    .schedule(
                            left,
                            () -> VirtualThreadStarter.start(
                                    "fusebox-life", () -> fell(nextAction), () -> fell(nextAction)));
            timed = nextAction;
        } catch (RuntimeException | Error unplanned) {
            LOG.log(Level.ERROR, server + ": what is due cannot be planned", unplanned);
        }
    }

    private void fell(NextAction nextAction) {
        synchronized (this) {
            if (closed || !nextAction.equals(timed)) {
                return;
            }
            timed = null;
        }
        happened(new LifecycleInput.Fell(nextAction));
        switch (nextAction.what()) {
            case POLL, PING -> errands.poll();
            case RESTART, REREAD, SELF_PROBE -> errands.read();
        }
    }

    /// Nothing is noted, told or done any more.
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
