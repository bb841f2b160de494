package dev.fusebox.client.http;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits between two attempts. Thread-safe; [#pause] blocks.
final class RetryDelays {
    private RetryDelays() {}

    /// Waits so long, or until the keeper's time is over.
    static void pause(Platform platform, RequestTimer keeper, long millis) {
        Thread self = Thread.currentThread();
        keeper.hold(() -> LockSupport.unpark(self));
        try {
            platform.await(Duration.ofMillis(millis), keeper::isOver);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            keeper.end();
        }
    }
}
