package dev.fusebox.gateway.stateless;

import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Servers of the session era that work for one call at a time. A server learns in its handshake what its client
/// can answer, so those of clients with other capabilities are others. One that nobody borrows for a while is
/// ended. Thread-safe; nothing blocks. Its monitor is a leaf: servers are ended outside of it.
final class Loans {
    private final int most;
    private final Platform platform;
    private final Duration longestIdle;
    private final BiFunction<String, ServerMessageHandler, ReconnectingConnection> opening;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final Set<Loan> all = new HashSet<>();
    private boolean closed;

    /// A server that waits to be borrowed.
    private record Idle(String capabilities, Loan loan, Timer alarm) {}

    /// What a look for a server has come to.
    ///
    /// @param loan null if there is none
    /// @param ended the one that had to make room; null if none had to
    private record Found(@Nullable Loan loan, @Nullable Loan ended) {}

    /// @param most servers at the same time
    /// @param longestIdle how long one is kept for the next call
    /// @param opening makes the way to a server for a client with these capabilities, as JSON
    Loans(
            int most,
            Platform platform,
            Duration longestIdle,
            BiFunction<String, ServerMessageHandler, ReconnectingConnection> opening) {
        this.most = most;
        this.platform = platform;
        this.longestIdle = longestIdle;
        this.opening = opening;
    }

    /// An idle server for a client with these capabilities, or a new one; null if all that there may be are busy.
    @Nullable
    Loan take(String capabilities) {
        Found found = find(capabilities);
        if (found.ended() != null) {
            found.ended().close();
        }
        return found.loan();
    }

    private synchronized Found find(String capabilities) {
        Loan free = borrowed(capabilities);
        if (free != null) {
            return new Found(free, null);
        }
        Idle oldest = all.size() >= most ? idle.pollFirst() : null;
        if (oldest != null) {
            oldest.alarm().cancel();
            all.remove(oldest.loan());
        }
        if (closed || all.size() >= most) {
            return new Found(null, null);
        }
        Loan fresh = new Loan(platform, serverMessageHandler -> opening.apply(capabilities, serverMessageHandler));
        all.add(fresh);
        return new Found(fresh, oldest == null ? null : oldest.loan());
    }

    /// The one that was used last of those that fit.
    private @Nullable Loan borrowed(String capabilities) {
        Iterator<Idle> newestFirst = idle.descendingIterator();
        while (newestFirst.hasNext()) {
            Idle next = newestFirst.next();
            if (next.capabilities().equals(capabilities)) {
                newestFirst.remove();
                next.alarm().cancel();
                return next.loan();
            }
        }
        return null;
    }

    /// Takes a server back that has answered and owes nobody anything.
    void giveBack(String capabilities, Loan loan) {
        Timer alarm = platform.timers().schedule(longestIdle, () -> expire(loan));
        synchronized (this) {
            if (!closed) {
                idle.addLast(new Idle(capabilities, loan, alarm));
                return;
            }
        }
        alarm.cancel();
        end(loan);
    }

    private void expire(Loan loan) {
        boolean isIdle;
        synchronized (this) {
            isIdle = idle.removeIf(one -> one.loan().equals(loan));
        }
        if (isIdle) {
            end(loan);
        }
    }

    /// Ends a server that was borrowed. One whose call was abandoned may still be at it, and what it says then
    /// would be taken for the next call's.
    void end(Loan loan) {
        synchronized (this) {
            all.remove(loan);
        }
        loan.close();
    }

    void close() {
        List<Loan> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(all);
            all.clear();
            idle.forEach(one -> one.alarm().cancel());
            idle.clear();
        }
        left.forEach(Loan::close);
    }
}
