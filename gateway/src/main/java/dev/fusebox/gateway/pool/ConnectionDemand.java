package dev.fusebox.gateway.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// The number of connections needed recently, whether or not there was room for them. Not thread-safe: guarded
/// by the lock of the pool.
final class ConnectionDemand {
    /// Demand older than this is not counted.
    private static final long RECENT = Duration.ofMinutes(1).toNanos();

    /// Bound on tracked borrowers; beyond it the number is too low.
    private static final int MOST = 20_000;

    private final Map<Borrower, Long> asked = new LinkedHashMap<>();

    /// Records a request for a connection.
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

    /// The number needed within the last minute: connections that were used, and requests that got none.
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
