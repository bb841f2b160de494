package dev.fusebox.gateway.pool;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many connections were needed of late, whether or not there was room for them. Not thread-safe: the lock of the
/// pool is around it.
final class Demand {
    /// What was not needed within that time is not counted.
    private static final long RECENT = Duration.ofMinutes(1).toNanos();

    /// More are not told apart; then the number is too small.
    private static final int MOST = 20_000;

    private final Map<Tenant, Long> asked = new LinkedHashMap<>();

    /// A connection is asked for.
    void note(Tenant tenant, long now) {
        asked.values().removeIf(at -> now - at > RECENT);
        asked.remove(tenant);
        if (asked.size() < MOST) {
            asked.put(tenant, now);
        }
    }

    /// Whether a connection was used within the last minute.
    static boolean isRecent(Seat seat, long now) {
        return now - seat.usedAt() <= RECENT;
    }

    /// How many were needed within the last minute: those that were used, and those that have none.
    int needed(Collection<Seat> taken, long now) {
        long used = taken.stream()
                .filter(seat -> !seat.isOver() && (!seat.isFree() || isRecent(seat, now)))
                .count();
        long without = asked.entrySet().stream()
                .filter(each -> now - each.getValue() <= RECENT)
                .filter(each -> taken.stream()
                        .noneMatch(seat -> !seat.isOver() && seat.tenant().equals(each.getKey())))
                .count();
        return Math.toIntExact(used + without);
    }
}
