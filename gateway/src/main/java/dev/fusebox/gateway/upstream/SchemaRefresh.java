package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A refresh of a server's tool list before a call to a tool that is unknown or known from the cache only.
/// Thread-safe; blocks for two seconds or half of the call's time, whichever is shorter. A list that does not
/// arrive is waited for once per connection; later calls go straight through.
public final class SchemaRefresh {
    private static final Duration FOR_THE_LIST = Duration.ofSeconds(2);

    private final Platform platform;

    public SchemaRefresh(Platform platform) {
        this.platform = platform;
    }

    /// Does nothing if the list was already read in this run.
    ///
    /// @return why the server could not be reached; null if it was reached, or if that is unknown
    @Nullable
    public CallFailure about(UpstreamServer server, Call call) throws InterruptedException {
        ServerCatalog.Reading reading = server.wantLive();
        if (reading == null) {
            return null;
        }
        call.slot().release();
        Duration most = Duration.ofNanos(Math.min(FOR_THE_LIST.toNanos(), timeLeft(server, call) / 2));
        Thread self = Thread.currentThread();
        call.deadline().onChange(() -> LockSupport.unpark(self));
        long begun = platform.ticker().nanos();
        Boolean isKnown =
                reading.done().await(platform, most, () -> call.deadline().isGivenUp());
        call.deadline().waited(Duration.ofNanos(platform.ticker().nanos() - begun));
        if (isKnown == null && !call.deadline().isGivenUp()) {
            server.catalog().waitedInVain();
        }
        boolean isRead = Boolean.TRUE.equals(isKnown) && server.isLive();
        return isKnown == null || isRead ? null : server.unreached();
    }

    private static long timeLeft(UpstreamServer server, Call call) {
        return Math.max(
                2, Math.min(server.rules().timeout().toNanos(), call.deadline().left()));
    }
}
