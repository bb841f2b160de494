package dev.fusebox.gateway.era;

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
final class ExclusiveConnections {
    private final int most;
    private final Platform platform;
    private final Duration longestIdle;
    private final BiFunction<String, ServerMessageHandler, ReconnectingConnection> opening;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final Set<ExclusiveConnection> all = new HashSet<>();
    private boolean closed;

    /// A server that waits to be borrowed.
    private record Idle(String capabilities, ExclusiveConnection exclusiveConnection, Timer alarm) {}

    /// What a look for a server has come to.
    ///
    /// @param exclusiveConnection null if there is none
    /// @param ended the one that had to make room; null if none had to
    private record Found(
            @Nullable ExclusiveConnection exclusiveConnection,
            @Nullable ExclusiveConnection ended) {}

    /// @param most servers at the same time
    /// @param longestIdle how long one is kept for the next call
    /// @param opening makes the way to a server for a client with these capabilities, as JSON
    ExclusiveConnections(
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
    ExclusiveConnection take(String capabilities) {
        Found found = find(capabilities);
        if (found.ended() != null) {
            found.ended().close();
        }
        return found.exclusiveConnection();
    }

    private synchronized Found find(String capabilities) {
        ExclusiveConnection free = borrowed(capabilities);
        if (free != null) {
            return new Found(free, null);
        }
        Idle oldest = all.size() >= most ? idle.pollFirst() : null;
        if (oldest != null) {
            oldest.alarm().cancel();
            all.remove(oldest.exclusiveConnection());
        }
        if (closed || all.size() >= most) {
            return new Found(null, null);
        }
        ExclusiveConnection fresh = new ExclusiveConnection(
                platform, serverMessageHandler -> opening.apply(capabilities, serverMessageHandler));
        all.add(fresh);
        return new Found(fresh, oldest == null ? null : oldest.exclusiveConnection());
    }

    /// The one that was used last of those that fit.
    private @Nullable ExclusiveConnection borrowed(String capabilities) {
        Iterator<Idle> newestFirst = idle.descendingIterator();
        while (newestFirst.hasNext()) {
            Idle next = newestFirst.next();
            if (next.capabilities().equals(capabilities)) {
                newestFirst.remove();
                next.alarm().cancel();
                return next.exclusiveConnection();
            }
        }
        return null;
    }

    /// Takes a server back that has answered and owes nobody anything.
    void giveBack(String capabilities, ExclusiveConnection exclusiveConnection) {
        Timer alarm = platform.timers().schedule(longestIdle, () -> expire(exclusiveConnection));
        synchronized (this) {
            if (!closed) {
                idle.addLast(new Idle(capabilities, exclusiveConnection, alarm));
                return;
            }
        }
        alarm.cancel();
        end(exclusiveConnection);
    }

    private void expire(ExclusiveConnection exclusiveConnection) {
        boolean isIdle;
        synchronized (this) {
            isIdle = idle.removeIf(one -> one.exclusiveConnection().equals(exclusiveConnection));
        }
        if (isIdle) {
            end(exclusiveConnection);
        }
    }

    /// Ends a server that was borrowed. One whose call was abandoned may still be at it, and what it says then
    /// would be taken for the next call's.
    void end(ExclusiveConnection exclusiveConnection) {
        synchronized (this) {
            all.remove(exclusiveConnection);
        }
        exclusiveConnection.close();
    }

    void close() {
        List<ExclusiveConnection> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(all);
            all.clear();
            idle.forEach(one -> one.alarm().cancel());
            idle.clear();
        }
        left.forEach(ExclusiveConnection::close);
    }
}
