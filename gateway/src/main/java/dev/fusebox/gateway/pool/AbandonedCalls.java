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

/// Calls that wait for clients that do not come back, and hold connections that others need. The process of a
/// session stays with the session however its calls end, so its calls are none of these. Not thread-safe: the lock
/// of the pool is around it.
final class AbandonedCalls {
    /// A call that was ended is over by then, or will not be soon: then another one is ended.
    private static final long ENDING = Duration.ofSeconds(1).toNanos();

    /// Connections whose calls were ended, and when.
    private final Map<PoolSlot, Long> ending = new HashMap<>();

    private final Function<PoolSlot, @Nullable CallSuspension> callSuspensions;

    /// A call whose client does not come back. Immutable.
    ///
    /// @param slot the place of its connection
    record Call(PoolSlot slot, CallSuspension callSuspension) {}

    /// @param callSuspensions since when the clients of all calls of a connection have been away; null if one of
    /// them is there
    AbandonedCalls(Function<PoolSlot, @Nullable CallSuspension> callSuspensions) {
        this.callSuspensions = callSuspensions;
    }

    /// Calls to end for others, those with the longest absence first; none for which one is ending already.
    ///
    /// @param missing how many places are needed
    /// @param staying the places whose connections are not ending
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

    /// Nothing is left of a connection.
    void forget(PoolSlot slot) {
        ending.remove(slot);
    }

    /// Nanoseconds until another call may be ended for those who wait. No absence that begins later is long before
    /// that.
    long due(Collection<PoolSlot> staying, long now) {
        LongStream next = ending.values().stream().mapToLong(since -> ENDING - (now - since));
        LongStream left = away(staying).mapToLong(call -> call.callSuspension().left(now));
        return LongStream.concat(next, left).filter(nanos -> nanos > 0).min().orElse(CallSuspension.LIMIT.toNanos());
    }
}
