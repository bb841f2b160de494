package dev.fusebox.gateway.task;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Splice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One task of a server: its last known state, which answers polls that come before the server's poll interval is
/// over, and the process that works on it. Thread-safe; only [#pause] blocks. Its monitor is a leaf.
///
/// ```
/// open --poll, update--> open --final status--> over
///   '--its process ends--> lost
/// ```
final class ServerTask {
    /// A longer state of a working task is not kept: questions rarely need more.
    private static final int MAX_KEPT = 65_536;

    /// The same for a final state, which contains the result: clients poll it once.
    private static final int MAX_KEPT_OF_OVER = 8_192;

    /// The upper bound of a server's `pollIntervalMs`.
    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(10);

    private final Platform platform;
    private final Ticker ticker;
    private final @Nullable Connection connection;
    private final AtomicLong memory;

    /// Completed when its process is gone.
    private final Promise<CallFailure> loss = new Promise<>();

    private boolean isOver;
    private boolean isRemembered;
    private @Nullable String recent;
    private long recentAt;
    private long usedAt;
    private long version;
    private @Nullable Promise<Boolean> polling;
    private Hold hold = Hold.UNDECIDED;
    private int subscribers;
    private @Nullable Timer idleTimer;
    private Duration interval = Duration.ZERO;

    /// Whether its process is kept for it.
    private enum Hold {
        UNDECIDED,
        HELD,
        RELEASED
    }

    /// @param connection the connection to the process that works on it; null if it outlives connections
    /// @param memory the length of the last states of all tasks of the server
    ServerTask(Platform platform, @Nullable Connection connection, AtomicLong memory) {
        this.platform = platform;
        this.ticker = platform.ticker();
        this.connection = connection;
        this.memory = memory;
        this.usedAt = ticker.nanos();
    }

    /// Keeps the process until [#release]; false if there is none, or it is ending. Called once.
    boolean hold() {
        boolean isKept = connection != null && connection.hold();
        synchronized (this) {
            hold = isKept ? Hold.HELD : Hold.RELEASED;
        }
        return isKept;
    }

    /// Notes whether the task is in the table; only then its last state is kept.
    synchronized void setRemembered(boolean isInTable) {
        isRemembered = isInTable;
        keep(null);
    }

    /// Forgets its last state: others need the memory.
    synchronized void dropState() {
        keep(null);
    }

    private void keep(@Nullable String state) {
        String next = isRemembered ? state : null;
        memory.addAndGet(length(next) - length(recent));
        recent = next;
    }

    private static long length(@Nullable String state) {
        return state == null ? 0 : state.length();
    }

    /// Sets the timer that releases the process of an idle task.
    void setIdleTimer(Timer timer) {
        synchronized (this) {
            idleTimer = timer;
        }
        if (isReleased()) {
            timer.cancel();
        }
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    /// Why its process is gone before it has ended; null if that is not so.
    @Nullable
    CallFailure loss() {
        return isOver() ? null : loss.now();
    }

    /// Waits for the next poll, no longer than until its process is gone or the deadline.
    void pause(Duration longest, Deadline deadline) throws InterruptedException {
        deadline.await(loss, longest, platform);
    }

    /// What a poll does. Immutable.
    sealed interface Poll {
        /// It is answered with the last result of `tasks/get`.
        record Recent(String result) implements Poll {}

        /// It asks the server; [#polled] must follow.
        ///
        /// @param done completed by it
        /// @param version of the task when it began
        record Request(Promise<Boolean> done, long version) implements Poll {}

        /// It waits for the request of another poll, and begins again.
        record Wait(Promise<Boolean> done) implements Poll {}
    }

    /// Begins a poll. There is one request to the server at a time; meanwhile the last state is the answer.
    synchronized Poll poll() {
        usedAt = ticker.nanos();
        Promise<Boolean> inProgress = polling;
        if (recent != null && (inProgress != null || usedAt - recentAt < interval.toNanos())) {
            return new Poll.Recent(recent);
        }
        if (inProgress != null) {
            return new Poll.Wait(inProgress);
        }
        Promise<Boolean> done = new Promise<>();
        polling = done;
        return new Poll.Request(done, version);
    }

    /// Notes the state in the answer to the call. Only that of a working task is complete: the answer contains neither
    /// results nor questions.
    void begun(JsonView state) {
        JsonView type = state.member("resultType");
        if (type == null || !"working".equals(state.string("status"))) {
            return;
        }
        byte[] polled = Splice.of(state).replace(type, "\"complete\"").bytes();
        if (poll() instanceof Poll.Request request) {
            polled(request, JsonView.of(new String(polled, StandardCharsets.UTF_8)));
        }
    }

    /// Whether its final state is known.
    synchronized boolean isOver() {
        return isOver;
    }

    /// The last result of `tasks/get`; null if it is not kept.
    synchronized @Nullable String lastState() {
        return recent;
    }

    /// Ends the request of a poll.
    ///
    /// @param result of the server; null if it gave none
    void polled(Poll.Request request, @Nullable JsonView result) {
        boolean isFinal;
        synchronized (this) {
            polling = null;
            isFinal = result != null && note(request, result);
        }
        request.done().complete(true);
        if (isFinal) {
            release();
        }
    }

    /// A state from before the last change is not kept. True if the task has ended.
    private boolean note(Poll.Request request, JsonView result) {
        boolean isFinal = isOver(result);
        isOver |= isFinal;
        interval = interval(result);
        if (request.version() == version && result.length() <= (isFinal ? MAX_KEPT_OF_OVER : MAX_KEPT)) {
            keep(result.json());
            recentAt = ticker.nanos();
        } else {
            keep(null);
        }
        return isFinal;
    }

    /// Whether this is a final state.
    static boolean isOver(JsonView state) {
        return switch (String.valueOf(state.string("status"))) {
            case "completed", "failed", "cancelled" -> true;
            default -> false;
        };
    }

    /// How long a server does not want to be polled again; zero if it does not say so.
    static Duration interval(JsonView result) {
        JsonView given = result.member("pollIntervalMs");
        try {
            long millis = given == null ? 0 : Long.parseLong(given.json());
            return Duration.ofMillis(Math.clamp(millis, 0, LONGEST_INTERVAL.toMillis()));
        } catch (NumberFormatException unclear) {
            return Duration.ZERO;
        }
    }

    /// Notes a state that the server has sent in a notification.
    void onNotification(JsonView state) {
        boolean isFinal = isOver(state);
        changed();
        if (isFinal) {
            synchronized (this) {
                isOver = true;
            }
            release();
        }
    }

    /// Notes subscriptions that have begun or ended.
    synchronized void changeSubscribers(int by) {
        subscribers += by;
        usedAt = ticker.nanos();
    }

    /// Notes that the client has changed it: the last state is not its state any more.
    synchronized void changed() {
        usedAt = ticker.nanos();
        version++;
        keep(null);
    }

    /// Notes the end of its process. A task that has ended before stays as it is.
    void lost(CallFailure failure) {
        loss.complete(failure);
        if (!isOver()) {
            dropState();
        }
        release();
    }

    /// Whether the process that worked on it is gone, so that nothing can be asked about it.
    boolean isGone() {
        return connection != null && !connection.isAlive();
    }

    /// How much longer its process is kept, if no request comes: nothing after this time without one.
    synchronized Duration keptFor(Duration limit) {
        return subscribers > 0 ? limit : limit.minusNanos(ticker.nanos() - usedAt);
    }

    /// Whether its process need not be kept.
    synchronized boolean isReleased() {
        return hold == Hold.RELEASED;
    }

    /// Lets its process go. May be called again.
    void release() {
        Timer timer;
        boolean wasHeld;
        synchronized (this) {
            if (hold == Hold.RELEASED) {
                return;
            }
            wasHeld = hold == Hold.HELD;
            hold = Hold.RELEASED;
            timer = idleTimer;
        }
        if (timer != null) {
            timer.cancel();
        }
        if (connection != null && wasHeld) {
            connection.letGo();
        }
    }
}
