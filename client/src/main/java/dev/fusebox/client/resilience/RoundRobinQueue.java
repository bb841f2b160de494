package dev.fusebox.client.resilience;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The calls that wait, in the order in which they are let in: the clients take turns, and each client's calls
/// keep their order. A client that comes new has its turn after all who wait already. Every step takes the same
/// short time, however many wait. Not thread-safe.
final class RoundRobinQueue {
    private final Map<Object, Line> lines = new HashMap<>();
    /// Before the client whose turn it is, and after the one that comes last.
    private final LinkedNode turn = new LinkedNode();

    private int size;
    private long bytes;

    /// The calls of one client.
    static final class Line extends LinkedNode {
        private final Object client;
        /// Before the call that waits longest.
        private final LinkedNode calls = new LinkedNode();

        Line(Object client) {
            this.client = client;
        }
    }

    /// Queues a call.
    QueuedCall add(Object client, FairBulkhead.Place place) {
        Line line = lines.computeIfAbsent(client, Line::new);
        if (line.isAlone()) {
            line.joinBefore(turn);
        }
        QueuedCall queuedCall = new QueuedCall(line, place);
        queuedCall.joinBefore(line.calls);
        size++;
        bytes += place.bytes();
        return queuedCall;
    }

    /// Whose turn it is; null if nobody waits.
    @Nullable
    QueuedCall first() {
        return turn.after() instanceof Line line && line.calls.after() instanceof QueuedCall queuedCall
                ? queuedCall
                : null;
    }

    /// Takes out the call whose turn it is; the next turn is another client's if another one waits.
    void take(QueuedCall first) {
        remove(first);
        Line line = first.line();
        if (!line.isAlone()) {
            line.leave();
            line.joinBefore(turn);
        }
    }

    /// Takes out a call that waits no longer; its client keeps its turn if more of its calls wait.
    void remove(QueuedCall queuedCall) {
        Line line = queuedCall.line();
        queuedCall.leave();
        size--;
        bytes -= queuedCall.place().bytes();
        if (line.calls.isAlone()) {
            line.leave();
            lines.remove(line.client);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /// Bytes of all calls that wait.
    long bytes() {
        return bytes;
    }
}
