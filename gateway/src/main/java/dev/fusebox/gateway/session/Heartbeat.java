package dev.fusebox.gateway.session;

import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A periodic keep-alive signal for a silent connection. Thread-safe; nothing blocks.
public final class Heartbeat {
    /// Shorter than the minute after which common proxies close a silent connection.
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final Timers timers;
    private final Runnable sign;
    private volatile boolean stopped;
    private volatile @Nullable Timer next;

    /// @param sign must not block
    public Heartbeat(Timers timers, Runnable sign) {
        this.timers = timers;
        this.sign = sign;
    }

    public void start() {
        next = timers.schedule(PERIOD, this::beat);
    }

    private void beat() {
        if (!stopped) {
            sign.run();
            start();
        }
    }

    /// Stops for good. One more signal may follow.
    public void stop() {
        stopped = true;
        Timer pending = next;
        if (pending != null) {
            pending.cancel();
        }
    }
}
