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

/// The connections to a legacy server that serve one call at a time. A server receives the capabilities of its
/// client in the handshake, so a connection is only reused for clients with the same capabilities. Idle
/// connections are closed after a time limit. Thread-safe; nothing blocks. Its monitor is a leaf: connections are
/// closed outside of it.
final class ExclusiveConnections {
    private final int most;
    private final Platform platform;
    private final Duration longestIdle;
    private final BiFunction<String, ServerMessageHandler, ReconnectingConnection> opening;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final Set<ExclusiveConnection> all = new HashSet<>();
    private boolean closed;

    /// A connection without a call.
    private record Idle(ExclusiveConnection exclusiveConnection, Timer alarm) {}

    /// The result of a search for a connection.
    ///
    /// @param exclusiveConnection null if there is none
    /// @param ended the connection that was evicted for it; null if none was
    private record Found(
            @Nullable ExclusiveConnection exclusiveConnection,
            @Nullable ExclusiveConnection ended) {}

    /// @param most bound on connections at the same time
    /// @param longestIdle how long an idle connection is kept
    /// @param opening creates a connection for a client with these capabilities, as JSON
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

    /// Takes an idle connection for a client with these capabilities, or a new one; null if all are busy.
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
                platform,
                this,
                capabilities,
                serverMessageHandler -> opening.apply(capabilities, serverMessageHandler));
        all.add(fresh);
        return new Found(fresh, oldest == null ? null : oldest.exclusiveConnection());
    }

    /// The most recently used idle connection that fits.
    private @Nullable ExclusiveConnection borrowed(String capabilities) {
        Iterator<Idle> newestFirst = idle.descendingIterator();
        while (newestFirst.hasNext()) {
            Idle next = newestFirst.next();
            if (next.exclusiveConnection().capabilities().equals(capabilities)) {
                newestFirst.remove();
                next.alarm().cancel();
                return next.exclusiveConnection();
            }
        }
        return null;
    }

    /// Takes a connection back after its call was answered.
    void giveBack(ExclusiveConnection exclusiveConnection) {
        Timer alarm = platform.timers().schedule(longestIdle, () -> expire(exclusiveConnection));
        synchronized (this) {
            if (!closed) {
                idle.addLast(new Idle(exclusiveConnection, alarm));
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

    /// Closes a connection whose call was abandoned: the server may still work on that call, and its messages
    /// would be attributed to the next one.
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
