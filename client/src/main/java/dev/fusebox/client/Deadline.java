package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How long a caller still waits for one call: until the time is over, or until it gives up. The clock stands
/// still while the server waits for the client, and that waiting has a limit of its own. Thread-safe; nothing
/// blocks.
public final class Deadline {
    /// Longer than any process runs, and short enough to be added to a time.
    private static final Duration ENDLESS = Duration.ofDays(10_000);

    /// On a machine that runs, the end of a time is noticed much sooner than so long after it.
    private static final Duration STANDSTILL = Duration.ofSeconds(2);

    private final Ticker ticker;
    private final Deadline call;
    private final long begun;
    private long workNanos;
    private final long clientNanos;
    private long clientUsed;
    private long stoppedAt;
    private int questions;
    private boolean givenUp;
    private boolean expired;
    private long waited;
    private Runnable onChange = () -> {};
    private Runnable onPause = () -> {};
    private @Nullable CallSuspension callSuspension;

    /// Starts at once.
    ///
    /// @param work how long the call may take without the client's share
    /// @param client how long the client may take for all its answers together
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

    /// For a request that is made for this call and has a clock of its own.
    public Deadline forRequest(Duration work, Duration client) {
        return new Deadline(work, client, ticker, call);
    }

    /// That of the call for which a request is made; this one if it is a call's.
    public Deadline ofCall() {
        return call;
    }

    /// For calls that last until somebody ends them.
    public static Deadline endless(Ticker ticker) {
        return new Deadline(ENDLESS, Duration.ZERO, ticker);
    }

    /// The server asked the client something. Questions may overlap.
    public void stop() {
        change(1);
    }

    /// The client answered one question.
    public void go() {
        change(-1);
    }

    private void change(int by) {
        Runnable told;
        Runnable toldOfPause;
        synchronized (this) {
            long now = ticker.nanos();
            if (questions == 0 && by > 0) {
                stoppedAt = now;
            } else if (questions == 1 && by < 0) {
                clientUsed += now - stoppedAt;
            }
            questions = Math.max(0, questions + by);
            told = onChange;
            toldOfPause = onPause;
        }
        told.run();
        toldOfPause.run();
    }

    /// The client has left with the questions of the server, until [#back].
    ///
    /// @param ending ends the call because the client does not come back; must not block
    public synchronized void away(Runnable ending) {
        callSuspension = givenUp ? null : new CallSuspension(ticker.nanos(), ending);
    }

    /// The client is back.
    public synchronized void back() {
        callSuspension = null;
    }

    /// The client's absence; null if it is there, or the call has been given up.
    public synchronized @Nullable CallSuspension callSuspension() {
        return callSuspension;
    }

    /// The caller no longer wants the answer.
    public void giveUp() {
        Runnable told;
        synchronized (this) {
            givenUp = true;
            callSuspension = null;
            told = onChange;
        }
        told.run();
    }

    /// Gives the call up because the time is over that its caller gave it. Twice is the same as once, and after it
    /// was given up otherwise it changes nothing.
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

    /// Notes how long the call waited for the connection of its server before it was made.
    public synchronized void waited(Duration duration) {
        waited = duration.toNanos();
    }

    /// So many nanoseconds the call waited before it was made.
    public synchronized long waited() {
        return waited;
    }

    /// Waits for something that has to be there before the call can be made; null if it does not come in time, or
    /// the caller gives up.
    public <T> @Nullable T await(Promise<T> promise, Platform platform) throws InterruptedException {
        Thread self = Thread.currentThread();
        onChange(() -> LockSupport.unpark(self));
        return promise.await(platform, Duration.ofNanos(Math.max(1, left())), this::isGivenUp);
    }

    /// How long the call may take without the client's share.
    synchronized Duration limit() {
        return Duration.ofNanos(workNanos);
    }

    /// Gives the call so long, since its beginning, in place of what it had. To be called before anybody waits.
    public synchronized void limit(Duration work) {
        workNanos = work.toNanos();
    }

    /// How long ago it began, whoever was waited for.
    public Duration age() {
        return Duration.ofNanos(ticker.nanos() - begun);
    }

    /// Whether the caller no longer wants the answer.
    public synchronized boolean isGivenUp() {
        return givenUp;
    }

    /// Whom to wake when the time left has changed; one at a time. The action must not block.
    public synchronized void onChange(Runnable action) {
        onChange = action;
    }

    /// Whom to tell that the clock may have stopped, or may run again; one at a time. The action must not block.
    public synchronized void onPause(Runnable action) {
        onPause = action;
    }

    /// Whether the clock stands still, since the client was asked something.
    public synchronized boolean isStopped() {
        return questions > 0;
    }

    /// By how much the end of the time was missed because this process stood still, as on a machine that was
    /// asleep or in a container that was stopped; zero if it ran.
    public synchronized Duration standstill() {
        Duration late = Duration.ofNanos(-left());
        return givenUp || late.compareTo(STANDSTILL) < 0 ? Duration.ZERO : late;
    }

    /// Nanoseconds until the call is over if nothing changes; not positive if it is.
    public synchronized long left() {
        if (givenUp) {
            return 0;
        }
        long now = ticker.nanos();
        return questions > 0 ? clientNanos - clientUsed - (now - stoppedAt) : workNanos + clientUsed - (now - begun);
    }
}
