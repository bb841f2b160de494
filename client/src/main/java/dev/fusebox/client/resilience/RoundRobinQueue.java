package dev.fusebox.client.resilience;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A queue of calls in which clients take turns, and each client's calls keep their order. A new client takes
/// its turn after all waiting ones. Every operation takes constant time. Not thread-safe.
final class RoundRobinQueue {
    private final Map<Object, Line> lines = new HashMap<>();
    /// Head of the ring of clients: before the one whose turn it is, and after the last one.
    private final LinkedNode turn = new LinkedNode();

    private int size;
    private long bytes;

    /// The queued calls of one client.
    static final class Line extends LinkedNode {
        private final Object client;
        /// Head of the ring of calls: before the one that has waited longest.
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

    /// The call whose turn it is; null if the queue is empty.
    @Nullable
    QueuedCall first() {
        return turn.after() instanceof Line line && line.calls.after() instanceof QueuedCall queuedCall
                ? queuedCall
                : null;
    }

    /// Removes the call whose turn it is; the next turn is another client's if another one waits.
    void take(QueuedCall first) {
        remove(first);
        Line line = first.line();
        if (!line.isAlone()) {
            line.leave();
            line.joinBefore(turn);
        }
    }

    /// Removes a call that no longer waits; its client keeps its turn if more of its calls wait.
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

    /// Total bytes of the queued calls.
    long bytes() {
        return bytes;
    }
}
