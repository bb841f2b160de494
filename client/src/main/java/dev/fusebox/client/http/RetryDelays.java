package dev.fusebox.client.http;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Interruptible pause between two attempts. Thread-safe; [#pause] blocks.
final class RetryDelays {
    private RetryDelays() {}

    /// Waits for the delay, or until the timer expires.
    static void pause(Platform platform, RequestTimer timer, long millis) {
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> LockSupport.unpark(self));
        try {
            platform.await(Duration.ofMillis(millis), timer::isExpired);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            timer.expire();
        }
    }
}
