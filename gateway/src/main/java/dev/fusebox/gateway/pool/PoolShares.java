package dev.fusebox.gateway.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// The places of each server at one moment, and how many of these belong to sessions. One server may have at
/// most half of the places as long as others wait. Connections of sessions cannot be taken back, so where
/// several servers share the pool they never get more than half. Immutable after construction.
final class PoolShares {
    private final int most;
    private final boolean isShared;
    private final Map<String, Integer> taken = new HashMap<>();
    private final Map<String, Integer> owned = new HashMap<>();

    /// @param size of the pool
    /// @param servers number of servers that share it
    PoolShares(int size, int servers, Collection<PoolSlot> slots) {
        this.most = Math.max(1, size / 2);
        this.isShared = servers > 1;
        slots.forEach(slot -> count(slot.borrower()));
    }

    /// Counts one more place.
    void count(Borrower borrower) {
        taken.merge(borrower.server(), 1, Integer::sum);
        if (borrower.isOwned()) {
            owned.merge(borrower.server(), 1, Integer::sum);
        }
    }

    /// Whether this borrower cannot get a place at the moment, because sessions of its server have half of
    /// them.
    boolean isSpent(Borrower borrower) {
        return isShared && borrower.isOwned() && owned.getOrDefault(borrower.server(), 0) >= most;
    }

    /// Whether a server has half of the places or more.
    boolean hasHalf(String server) {
        return taken.getOrDefault(server, 0) >= most;
    }

    /// Whether a server has more than half of the places.
    boolean hasMoreThanHalf(String server) {
        return taken.getOrDefault(server, 0) > most;
    }

    /// The most places for the sessions of one server.
    int most() {
        return most;
    }
}
