package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallSuspension;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The suspended calls whose clients have been away for too long while their connections are needed. A session's
/// process stays with the session however its calls end, so its calls do not count. Not thread-safe: guarded by
/// the lock of the pool.
final class AbandonedCalls {
    /// A call that was cancelled has ended by then, or will not end soon: another one is then cancelled.
    private static final long ENDING = Duration.ofSeconds(1).toNanos();

    /// Connections whose calls were cancelled, and when.
    private final Map<PoolSlot, Long> ending = new HashMap<>();

    private final Function<PoolSlot, @Nullable CallSuspension> callSuspensions;

    /// A call whose client is away. Immutable.
    ///
    /// @param slot the slot of its connection
    record Call(PoolSlot slot, CallSuspension callSuspension) {}

    /// @param callSuspensions supplies since when the clients of all calls of a connection have been away; null
    ///     if one of them is there
    AbandonedCalls(Function<PoolSlot, @Nullable CallSuspension> callSuspensions) {
        this.callSuspensions = callSuspensions;
    }

    /// Selects calls to cancel for waiting requests, those with the longest absence first; none for places that
    /// an earlier cancellation will free.
    ///
    /// @param missing how many places are needed
    /// @param staying the slots whose connections are not closing
    List<Call> end(long missing, Collection<PoolSlot> staying, long now) {
        ending.values().removeIf(since -> now - since >= ENDING);
        long expected = staying.stream().filter(ending::containsKey).count();
        List<Call> longest = away(staying)
                .filter(call -> call.callSuspension().left(now) <= 0)
                .sorted(Comparator.comparingLong(call -> call.callSuspension().left(now)))
                .limit(Math.max(0, missing - expected))
                .toList();
        longest.forEach(call -> ending.put(call.slot(), now));
        return longest;
    }

    private Stream<Call> away(Collection<PoolSlot> staying) {
        return staying.stream()
                .filter(slot -> !ending.containsKey(slot) && !slot.borrower().isOwned())
                .filter(slot -> slot.state() == ConnectionState.ACTIVE)
                .map(this::call)
                .filter(Objects::nonNull);
    }

    private @Nullable Call call(PoolSlot slot) {
        CallSuspension callSuspension = callSuspensions.apply(slot);
        return callSuspension == null ? null : new Call(slot, callSuspension);
    }

    /// Records that a connection is closed completely.
    void forget(PoolSlot slot) {
        ending.remove(slot);
    }

    /// Nanoseconds until another call may be cancelled for waiting requests. An absence that begins later
    /// cannot be long before that.
    long due(Collection<PoolSlot> staying, long now) {
        LongStream next = ending.values().stream().mapToLong(since -> ENDING - (now - since));
        LongStream left = away(staying).mapToLong(call -> call.callSuspension().left(now));
        return LongStream.concat(next, left).filter(nanos -> nanos > 0).min().orElse(CallSuspension.LIMIT.toNanos());
    }
}
