package dev.fusebox.gateway.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The wait queue of a pool: clients take turns, and the requests of one client keep their order. Not
/// thread-safe.
final class WaitQueue {
    private final Map<Object, Queue<PoolWaiter>> turns = new LinkedHashMap<>();

    /// In order of arrival.
    private final Set<PoolWaiter> all = new LinkedHashSet<>();

    void add(PoolWaiter waiter) {
        turns.computeIfAbsent(waiter.client(), client -> new ArrayDeque<>()).add(waiter);
        all.add(waiter);
    }

    /// Removes and returns the next request that may be served; null if there is none.
    @Nullable
    PoolWaiter take(Predicate<PoolWaiter> mayGo) {
        PoolWaiter next = turns.values().stream()
                .flatMap(turn -> turn.stream().filter(mayGo).limit(1))
                .findFirst()
                .orElse(null);
        if (next != null) {
            remove(next);
            // The client's next turn comes last.
            Queue<PoolWaiter> others = turns.remove(next.client());
            if (others != null) {
                turns.put(next.client(), others);
            }
        }
        return next;
    }

    /// Removes a request.
    void remove(PoolWaiter waiter) {
        all.remove(waiter);
        Queue<PoolWaiter> line = turns.get(waiter.client());
        if (line != null) {
            line.remove(waiter);
            if (line.isEmpty()) {
                turns.remove(waiter.client());
            }
        }
    }

    /// The request that has waited longest; null if none waits.
    @Nullable
    PoolWaiter oldest() {
        Iterator<PoolWaiter> first = all.iterator();
        return first.hasNext() ? first.next() : null;
    }

    /// Whether this borrower waits for another connection.
    boolean isWaiting(Borrower borrower) {
        return all.stream()
                .anyMatch(waiter -> waiter.priority() == Priority.NEEDED
                        && waiter.borrower().equals(borrower));
    }

    List<PoolWaiter> all() {
        return new ArrayList<>(all);
    }

    int size() {
        return all.size();
    }
}
