package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Ends one exchange when its caller's patience does: whatever it waits at is cut, a line by closing it. So the
/// limit is a total one, however the bytes drip. If the time went by while this process stood still,
/// what came meanwhile is let in first. Thread-safe; nothing blocks.
///
/// ```
/// running --time over, given up, or end()--> over      (what is held is cut, once)
///    '------close()---------------------------> stopped (nothing is cut any more)
/// ```
final class RequestTimer implements AutoCloseable {
    /// What has come while this process stood still is read sooner.
    private static final Duration UNREAD = Duration.ofSeconds(1);

    private final Timers timers;
    private final Deadline deadline;
    private @Nullable Runnable cut;
    private @Nullable Timer timer;
    private boolean hasStoodStill;
    private boolean isOver;
    private boolean isStopped;

    private RequestTimer(Platform platform, Deadline deadline) {
        this.timers = platform.timers();
        this.deadline = deadline;
    }

    static RequestTimer start(Platform platform, Deadline deadline) {
        RequestTimer keeper = new RequestTimer(platform, deadline);
        deadline.onChange(keeper::look);
        keeper.look();
        return keeper;
    }

    /// For work that nobody waits for.
    static RequestTimer start(Platform platform, Duration limit) {
        return start(platform, new Deadline(limit, Duration.ZERO, platform.ticker()));
    }

    /// What to do when the time is over, instead of what was to be done before; done at once if it is over
    /// already.
    void hold(Runnable toCut) {
        boolean late;
        synchronized (this) {
            cut = toCut;
            late = isOver;
        }
        if (late) {
            toCut.run();
        }
    }

    /// Nothing is to be cut any more. False if the time is over: then what was held has been cut, or is about to
    /// be.
    synchronized boolean letGo() {
        cut = null;
        return !isOver;
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /// Whether the time went by without anybody looking at it, because this process did not run.
    synchronized boolean hasStoodStill() {
        return hasStoodStill || !deadline.standstill().isZero();
    }

    /// Nanoseconds left; not positive if the time is over.
    long left() {
        return isOver() ? 0 : deadline.left();
    }

    /// Looks at the time, and sets the next look.
    private void look() {
        long left = deadline.left();
        Duration next = left > 0 ? Duration.ofNanos(left) : afterStandstill();
        if (next.isZero()) {
            end();
            return;
        }
        Timer unneeded = replaced(timers.schedule(next, this::look));
        if (unneeded != null) {
            unneeded.cancel();
        }
    }

    /// How long to go on although the time is over, once; zero if this process ran.
    private synchronized Duration afterStandstill() {
        boolean isFirst = !hasStoodStill && !deadline.standstill().isZero();
        hasStoodStill |= isFirst;
        return isFirst ? UNREAD : Duration.ZERO;
    }

    private synchronized @Nullable Timer replaced(Timer next) {
        if (isOver || isStopped) {
            return next;
        }
        Timer before = timer;
        timer = next;
        return before;
    }

    /// Makes the time over.
    void end() {
        Runnable toCut;
        synchronized (this) {
            if (isOver || isStopped) {
                return;
            }
            isOver = true;
            toCut = cut;
        }
        if (toCut != null) {
            toCut.run();
        }
    }

    @Override
    public void close() {
        Timer last;
        synchronized (this) {
            isStopped = true;
            cut = null;
            last = timer;
        }
        if (last != null) {
            last.cancel();
        }
        deadline.onChange(() -> {});
    }
}
