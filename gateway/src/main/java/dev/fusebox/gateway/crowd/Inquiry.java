package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Fault;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Asks a server what it has, where a call hangs on that and nobody but memory has said it. Thread-safe; blocks for a
/// few seconds at most, and no longer than the caller has patience.
final class Inquiry {
    /// A server that answers calls and hangs when it is asked for its list is called all the same.
    private static final Duration FOR_THE_LIST = Duration.ofSeconds(5);

    private final World world;

    Inquiry(World world) {
        this.world = world;
    }

    /// Nothing is asked if the server has said it in this run.
    ///
    /// @return why it could not be reached; null if it was, or if nobody knows
    @Nullable
    Fault about(Member member, Call call) throws InterruptedException {
        Shelf.Reading reading = member.wantLive();
        if (reading == null) {
            return null;
        }
        Duration most = Duration.ofNanos(Math.min(FOR_THE_LIST.toNanos(), timeLeft(member, call)));
        Thread self = Thread.currentThread();
        call.patience().onChange(() -> LockSupport.unpark(self));
        Boolean isKnown =
                reading.done().await(world, most, () -> call.patience().isGivenUp());
        boolean isRead = Boolean.TRUE.equals(isKnown) && member.isLive();
        return isKnown == null || isRead ? null : member.unreached();
    }

    private static long timeLeft(Member member, Call call) {
        return Math.max(1, Math.min(member.timeout().toNanos(), call.patience().left()));
    }
}
