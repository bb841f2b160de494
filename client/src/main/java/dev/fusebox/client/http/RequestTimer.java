package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Timer that runs an action, such as closing a connection, at the deadline of one exchange, so that the limit
/// holds for the whole exchange, however slowly its bytes come. If the deadline passed while this process was
/// suspended, what arrived meanwhile is read first. Thread-safe; nothing blocks.
///
/// ```
/// running --deadline, given up, or expire()--> expired (the action runs, once)
///    '------close()--------------------------> closed  (the action no longer runs)
/// ```
final class RequestTimer implements AutoCloseable {
    /// Enough to read what arrived while this process was suspended.
    private static final Duration READ_GRACE = Duration.ofSeconds(1);

    private final Timers timers;
    private final Deadline deadline;
    private @Nullable Runnable action;
    private @Nullable Timer pending;
    private boolean wasSuspended;
    private boolean isExpired;
    private boolean isClosed;

    private RequestTimer(Platform platform, Deadline deadline) {
        this.timers = platform.timers();
        this.deadline = deadline;
    }

    static RequestTimer start(Platform platform, Deadline deadline) {
        RequestTimer requestTimer = new RequestTimer(platform, deadline);
        deadline.onChange(requestTimer::check);
        requestTimer.check();
        return requestTimer;
    }

    /// For work without a caller that waits.
    static RequestTimer start(Platform platform, Duration limit) {
        return start(platform, new Deadline(limit, Duration.ZERO, platform.ticker()));
    }

    /// Sets the action for the expiry, in place of the previous one; runs it at once if the timer has expired.
    void onExpiry(Runnable newAction) {
        boolean late;
        synchronized (this) {
            action = newAction;
            late = isExpired;
        }
        if (late) {
            newAction.run();
        }
    }

    /// Removes the action. False if the timer has expired: the action has run, or is about to.
    synchronized boolean disarm() {
        action = null;
        return !isExpired;
    }

    synchronized boolean isExpired() {
        return isExpired;
    }

    /// Whether the deadline passed while this process did not run.
    synchronized boolean wasSuspended() {
        return wasSuspended || !deadline.standstill().isZero();
    }

    /// Nanoseconds left; not positive if the timer has expired.
    long left() {
        return isExpired() ? 0 : deadline.left();
    }

    /// Checks the deadline, and schedules the next check.
    private void check() {
        long left = deadline.left();
        Duration next = left > 0 ? Duration.ofNanos(left) : graceAfterSuspension();
        if (next.isZero()) {
            expire();
            return;
        }
        Timer replaced = replace(timers.schedule(next, this::check));
        if (replaced != null) {
            replaced.cancel();
        }
    }

    /// How long to continue after the deadline, once; zero if this process was not suspended.
    private synchronized Duration graceAfterSuspension() {
        boolean isFirst = !wasSuspended && !deadline.standstill().isZero();
        wasSuspended |= isFirst;
        return isFirst ? READ_GRACE : Duration.ZERO;
    }

    private synchronized @Nullable Timer replace(Timer next) {
        if (isExpired || isClosed) {
            return next;
        }
        Timer before = pending;
        pending = next;
        return before;
    }

    /// Expires the timer now.
    void expire() {
        Runnable expiredAction;
        synchronized (this) {
            if (isExpired || isClosed) {
                return;
            }
            isExpired = true;
            expiredAction = action;
        }
        if (expiredAction != null) {
            expiredAction.run();
        }
    }

    @Override
    public void close() {
        Timer last;
        synchronized (this) {
            isClosed = true;
            action = null;
            last = pending;
        }
        if (last != null) {
            last.cancel();
        }
        deadline.onChange(() -> {});
    }
}
