package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Set;

/// The periodic check that closes connections whose client is late. One virtual thread per server; it waits in
/// [Platform].
///
/// A connection is closed at most one period before its limit and never after it, unless the machine stalls.
final class ConnectionSweeper implements Runnable {
    private static final Duration RAREST = Duration.ofMillis(500);
    private static final Duration MAX_OFTEN = Duration.ofMillis(5);
    /// Checks within the shortest limit.
    private static final int CHECKS = 16;

    private final Set<HttpServerConnection> connections;
    private final Platform platform;
    private final Duration period;
    private volatile boolean stopped;

    ConnectionSweeper(Set<HttpServerConnection> connections, HttpTimes times, Platform platform) {
        this.connections = connections;
        this.platform = platform;
        this.period = period(times);
    }

    private static Duration period(HttpTimes times) {
        Duration shortest = Duration.ofNanos(times.shortest().toNanos() / CHECKS);
        if (shortest.compareTo(RAREST) > 0) {
            return RAREST;
        }
        return shortest.compareTo(MAX_OFTEN) < 0 ? MAX_OFTEN : shortest;
    }

    @Override
    public void run() {
        try {
            while (!platform.await(period, () -> stopped)) {
                sweep();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the sweeper thread is private and is never interrupted", e);
        }
    }

    void stop() {
        stopped = true;
    }

    private void sweep() {
        long nextLook = platform.ticker().nanos() + period.toNanos();
        for (HttpServerConnection connection : connections) {
            connection.cutIfLate(nextLook);
        }
    }
}
