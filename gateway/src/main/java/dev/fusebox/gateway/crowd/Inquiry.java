package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Reads a server's tool list before a call to a tool that is unknown or known from the cache only. Thread-safe;
/// blocks for two seconds or half of the call's time, whichever is shorter. A server whose list hangs is waited
/// for once for each connection; later calls go straight through.
final class Inquiry {
    private static final Duration FOR_THE_LIST = Duration.ofSeconds(2);

    private final Platform platform;

    Inquiry(Platform platform) {
        this.platform = platform;
    }

    /// Nothing is asked if the server has said it in this run.
    ///
    /// @return why it could not be reached; null if it was, or if nobody knows
    @Nullable
    CallFailure about(Member member, Call call) throws InterruptedException {
        Shelf.Reading reading = member.wantLive();
        if (reading == null) {
            return null;
        }
        call.slot().leave();
        Duration most = Duration.ofNanos(Math.min(FOR_THE_LIST.toNanos(), timeLeft(member, call) / 2));
        Thread self = Thread.currentThread();
        call.deadline().onChange(() -> LockSupport.unpark(self));
        long begun = platform.ticker().nanos();
        Boolean isKnown =
                reading.done().await(platform, most, () -> call.deadline().isGivenUp());
        call.deadline().waited(Duration.ofNanos(platform.ticker().nanos() - begun));
        if (isKnown == null && !call.deadline().isGivenUp()) {
            member.shelf().waitedInVain();
        }
        boolean isRead = Boolean.TRUE.equals(isKnown) && member.isLive();
        return isKnown == null || isRead ? null : member.unreached();
    }

    private static long timeLeft(Member member, Call call) {
        return Math.max(2, Math.min(member.timeout().toNanos(), call.deadline().left()));
    }
}
