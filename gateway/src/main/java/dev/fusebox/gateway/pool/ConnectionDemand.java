package dev.fusebox.gateway.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many connections were needed of late, whether or not there was room for them. Not thread-safe: the lock of
/// the pool is around it.
final class ConnectionDemand {
    /// What was not needed within that time is not counted.
    private static final long RECENT = Duration.ofMinutes(1).toNanos();

    /// More are not told apart; then the number is too small.
    private static final int MOST = 20_000;

    private final Map<Borrower, Long> asked = new LinkedHashMap<>();

    /// A connection is asked for.
    void note(Borrower borrower, long now) {
        asked.values().removeIf(at -> now - at > RECENT);
        asked.remove(borrower);
        if (asked.size() < MOST) {
            asked.put(borrower, now);
        }
    }

    /// Whether a connection was used within the last minute.
    static boolean isRecent(PoolSlot slot, long now) {
        return now - slot.usedAt() <= RECENT;
    }

    /// How many were needed within the last minute: those that were used, and those that have none.
    int needed(Collection<PoolSlot> taken, long now) {
        long used = taken.stream()
                .filter(slot -> !slot.isOver() && (!slot.isFree() || isRecent(slot, now)))
                .count();
        long without = asked.entrySet().stream()
                .filter(each -> now - each.getValue() <= RECENT)
                .filter(each -> taken.stream()
                        .noneMatch(slot -> !slot.isOver() && slot.borrower().equals(each.getKey())))
                .count();
        return Math.toIntExact(used + without);
    }
}
