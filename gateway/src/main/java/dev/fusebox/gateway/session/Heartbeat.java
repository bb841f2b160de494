package dev.fusebox.gateway.session;

import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Gives a sign of life on a silent line, again and again, until it is stopped. Thread-safe; nothing blocks.
public final class Heartbeat {
    /// Shorter than what the usual proxies wait before they cut a silent line, which is a minute.
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

    /// For good. One more sign may be on its way.
    public void stop() {
        stopped = true;
        Timer pending = next;
        if (pending != null) {
            pending.cancel();
        }
    }
}
