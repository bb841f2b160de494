package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Servers of the session era that work for one call at a time. A server learns in its handshake what its client can
/// answer, so those of clients with other capabilities are others. Thread-safe; nothing blocks.
final class Loans {
    private final int most;
    private final BiFunction<String, Peer, Upstream> opening;
    private final Map<String, Deque<Loan>> idle = new HashMap<>();
    private final Set<Loan> all = new HashSet<>();
    private boolean closed;

    /// @param most servers at the same time
    /// @param opening makes the way to a server for a client with these capabilities, as JSON
    Loans(int most, BiFunction<String, Peer, Upstream> opening) {
        this.most = most;
        this.opening = opening;
    }

    /// An idle server for a client with these capabilities, or a new one; null if all that there may be are busy.
    synchronized @Nullable Loan take(String capabilities) {
        Deque<Loan> fitting = idle.get(capabilities);
        Loan free = fitting == null ? null : fitting.pollLast();
        if (free != null) {
            return free;
        }
        if (closed || (all.size() >= most && !makeRoom())) {
            return null;
        }
        Loan fresh = new Loan(peer -> opening.apply(capabilities, peer));
        all.add(fresh);
        return fresh;
    }

    private boolean makeRoom() {
        Iterator<Deque<Loan>> kinds = idle.values().iterator();
        while (kinds.hasNext()) {
            Loan oldest = kinds.next().pollFirst();
            if (oldest != null) {
                end(oldest);
                return true;
            }
            kinds.remove();
        }
        return false;
    }

    synchronized void giveBack(String capabilities, Loan loan) {
        if (closed) {
            end(loan);
        } else {
            idle.computeIfAbsent(capabilities, any -> new ArrayDeque<>()).addLast(loan);
        }
    }

    private void end(Loan loan) {
        all.remove(loan);
        loan.close();
    }

    synchronized void close() {
        closed = true;
        all.forEach(Loan::close);
        all.clear();
        idle.clear();
    }
}
