package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Deadline of one call: the time after which its caller no longer waits, or gives up earlier. The clock is
/// paused while the server waits for a response of the client, and such pauses have a limit of their own.
/// Thread-safe; only [#await] blocks.
public final class Deadline {
    /// Longer than any process runs, and short enough to be added to a time.
    private static final Duration UNLIMITED = Duration.ofDays(10_000);

    /// A running process notices the end of a deadline much sooner.
    private static final Duration SUSPENSION_THRESHOLD = Duration.ofSeconds(2);

    private final Ticker ticker;
    private final Deadline call;
    private final long begun;
    private long workNanos;
    private final long clientNanos;
    private long clientUsed;
    private long stoppedAt;
    private int pendingQuestions;
    private boolean givenUp;
    private boolean expired;
    private long waited;
    private Runnable onChange = () -> {};
    private Runnable onPause = () -> {};
    private @Nullable CallSuspension callSuspension;

    /// Starts at once.
    ///
    /// @param work how long the call may take, without the time of the client
    /// @param client how long the client may take for all its responses together
    public Deadline(Duration work, Duration client, Ticker ticker) {
        this(work, client, ticker, null);
    }

    private Deadline(Duration work, Duration client, Ticker ticker, @Nullable Deadline call) {
        this.ticker = ticker;
        this.call = call == null ? this : call;
        this.begun = ticker.nanos();
        this.workNanos = work.toNanos();
        this.clientNanos = client.toNanos();
    }

    /// The deadline of a request that is made for this call and has its own clock.
    public Deadline forRequest(Duration work, Duration client) {
        return new Deadline(work, client, ticker, call);
    }

    /// The deadline of the call for which a request is made; itself if it belongs to a call.
    public Deadline ofCall() {
        return call;
    }

    /// For calls without a time limit.
    public static Deadline endless(Ticker ticker) {
        return new Deadline(UNLIMITED, Duration.ZERO, ticker);
    }

    /// Pauses the clock: the server sent a request to the client. Such requests may overlap.
    public void stop() {
        change(1);
    }

    /// Resumes the clock: the client answered one request.
    public void go() {
        change(-1);
    }

    private void change(int by) {
        Runnable changeListener;
        Runnable pauseListener;
        synchronized (this) {
            long now = ticker.nanos();
            if (pendingQuestions == 0 && by > 0) {
                stoppedAt = now;
            } else if (pendingQuestions == 1 && by < 0) {
                clientUsed += now - stoppedAt;
            }
            pendingQuestions = Math.max(0, pendingQuestions + by);
            changeListener = onChange;
            pauseListener = onPause;
        }
        changeListener.run();
        pauseListener.run();
    }

    /// Marks the client as away with the requests of the server, until [#back].
    ///
    /// @param ending ends the call because the client does not come back; must not block
    public synchronized void away(Runnable ending) {
        callSuspension = givenUp ? null : new CallSuspension(ticker.nanos(), ending);
    }

    /// Marks the client as back.
    public synchronized void back() {
        callSuspension = null;
    }

    /// The absence of the client; null if it is present, or the call has been given up.
    public synchronized @Nullable CallSuspension callSuspension() {
        return callSuspension;
    }

    /// Abandons the call: the caller no longer waits for the response.
    public void giveUp() {
        Runnable changeListener;
        synchronized (this) {
            givenUp = true;
            callSuspension = null;
            changeListener = onChange;
        }
        changeListener.run();
    }

    /// Gives up the call because its time is over. Idempotent; has no effect on a call that was given up
    /// otherwise.
    public void expire() {
        synchronized (this) {
            expired = expired || !givenUp;
        }
        giveUp();
    }

    /// Whether the call was given up because its time was over, and not by its client.
    public synchronized boolean isExpired() {
        return expired;
    }

    /// Records how long the call waited for a connection before it was sent.
    public synchronized void waited(Duration duration) {
        waited = duration.toNanos();
    }

    /// Nanoseconds that the call waited before it was sent.
    public synchronized long waited() {
        return waited;
    }

    /// Waits for something that the call needs before it can be sent; null if it does not come in time, or the
    /// caller gives up.
    public <T> @Nullable T await(Promise<T> promise, Platform platform) throws InterruptedException {
        return await(promise, UNLIMITED, platform);
    }

    /// The same for this time at most.
    public <T> @Nullable T await(Promise<T> promise, Duration longest, Platform platform) throws InterruptedException {
        Thread self = Thread.currentThread();
        onChange(() -> LockSupport.unpark(self));
        long nanos = Math.min(longest.toNanos(), Math.max(1, left()));
        return promise.await(platform, Duration.ofNanos(nanos), this::isGivenUp);
    }

    /// The time limit of the call, without the time of the client.
    synchronized Duration limit() {
        return Duration.ofNanos(workNanos);
    }

    /// Replaces the time limit, counted from the start of the call. Must be called before any thread waits.
    public synchronized void limit(Duration work) {
        workNanos = work.toNanos();
    }

    /// The time since the start, pauses included.
    public Duration age() {
        return Duration.ofNanos(ticker.nanos() - begun);
    }

    /// Whether the caller no longer waits for the response.
    public synchronized boolean isGivenUp() {
        return givenUp;
    }

    /// Sets the action to run when the remaining time has changed; there is one at a time. It must not block.
    public synchronized void onChange(Runnable action) {
        onChange = action;
    }

    /// Sets the action to run when the clock may have been paused or resumed; there is one at a time. It must
    /// not block.
    public synchronized void onPause(Runnable action) {
        onPause = action;
    }

    /// Whether the clock is paused, because the client was sent a request.
    public synchronized boolean isStopped() {
        return pendingQuestions > 0;
    }

    /// How long after the deadline this process runs again, after it was suspended as on a sleeping machine or
    /// in a paused container; zero if it was not.
    public synchronized Duration standstill() {
        Duration late = Duration.ofNanos(-left());
        return givenUp || late.compareTo(SUSPENSION_THRESHOLD) < 0 ? Duration.ZERO : late;
    }

    /// Nanoseconds until the deadline if nothing changes; not positive after it.
    public synchronized long left() {
        if (givenUp) {
            return 0;
        }
        long now = ticker.nanos();
        return pendingQuestions > 0
                ? clientNanos - clientUsed - (now - stoppedAt)
                : workNanos + clientUsed - (now - begun);
    }
}
