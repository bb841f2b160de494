package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time that a caller gives a call whose server would give it longer. It stands still with the clock of the
/// call, and when it is over the call is given up. Thread-safe; nothing blocks.
final class TimeoutClamp implements AutoCloseable {
    private final Platform platform;
    private final Deadline outer;

    /// That of the call, which may be given the server's own time.
    private final Deadline inner;

    /// What is left of this time.
    private final Deadline own;

    private @Nullable Timer timer;
    private boolean isOver;
    private boolean isClosed;

    /// Begins at once.
    ///
    /// @param outer of the caller, which this follows
    /// @param clientWait how long the client may take for all its answers together
    TimeoutClamp(Platform platform, Deadline outer, Duration limit, Duration clientWait) {
        this.platform = platform;
        this.outer = outer;
        this.inner = new Deadline(limit, clientWait, platform.ticker());
        this.own = new Deadline(limit, clientWait, platform.ticker());
        outer.onChange(this::look);
        look();
    }

    /// For the call.
    Deadline deadline() {
        return inner;
    }

    /// Whether the call was given up because of this.
    synchronized boolean isOver() {
        return isOver;
    }

    private void look() {
        if (isOverNow()) {
            inner.expire();
        }
    }

    /// While the clock stands still nothing is planned: whoever lets it go on has this looked at.
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
            timer = platform.timers().schedule(Duration.ofNanos(left), this::look);
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
