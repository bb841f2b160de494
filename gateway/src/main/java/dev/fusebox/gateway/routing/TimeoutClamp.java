package dev.fusebox.gateway.routing;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A caller's time limit for a call whose server allows more time. It is suspended together with the deadline
/// of the call, and abandons the call when it expires. Thread-safe; nothing blocks.
final class TimeoutClamp implements AutoCloseable {
    private final Platform platform;
    private final Deadline outer;

    /// The deadline of the call, which may use the server's own timeout.
    private final Deadline inner;

    /// The caller's limit.
    private final Deadline own;

    private @Nullable Timer timer;
    private boolean isOver;
    private boolean isClosed;

    /// Starts at once.
    ///
    /// @param outer deadline of the caller, which this one follows
    /// @param clientWait how long the client may take for all its answers together
    TimeoutClamp(Platform platform, Deadline outer, Duration limit, Duration clientWait) {
        this.platform = platform;
        this.outer = outer;
        this.inner = new Deadline(limit, clientWait, platform.ticker());
        this.own = new Deadline(limit, clientWait, platform.ticker());
        outer.onChange(this::check);
        check();
    }

    /// The deadline to make the call with.
    Deadline deadline() {
        return inner;
    }

    /// Whether the call was abandoned because of this limit.
    synchronized boolean isOver() {
        return isOver;
    }

    private void check() {
        if (isOverNow()) {
            inner.expire();
        }
    }

    /// No timer runs while the clock is suspended; resuming it checks the limit again.
    private synchronized boolean isOverNow() {
        follow(inner);
        follow(own);
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (isClosed || isOver || outer.isGivenUp() || own.isStopped()) {
            return false;
        }
        long left = own.left();
        isOver = left <= 0;
        if (!isOver) {
            timer = platform.timers().schedule(Duration.ofNanos(left), this::check);
        }
        return isOver;
    }

    private void follow(Deadline other) {
        if (outer.isGivenUp() && !other.isGivenUp()) {
            other.giveUp();
        }
        if (outer.isStopped() && !other.isStopped()) {
            other.stop();
        } else if (!outer.isStopped() && other.isStopped()) {
            other.go();
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
