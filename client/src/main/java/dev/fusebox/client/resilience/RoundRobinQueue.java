package dev.fusebox.client.resilience;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A queue of calls in which clients take turns, and each client's calls keep their order. A new client takes
/// its turn after all waiting ones. Every operation takes constant time. Not thread-safe.
final class RoundRobinQueue {
    private final Map<Object, ClientQueue> clientQueues = new HashMap<>();
    /// Head of the ring of clients: before the one whose turn it is, and after the last one.
    private final LinkedNode turn = new LinkedNode();

    private int size;
    private long bytes;

    /// The queued calls of one client.
    static final class ClientQueue extends LinkedNode {
        private final Object client;
        /// Head of the ring of calls: before the one that has waited longest.
        private final LinkedNode calls = new LinkedNode();

        ClientQueue(Object client) {
            this.client = client;
        }
    }

    /// Queues a call.
    QueuedCall add(Object client, FairBulkhead.Slot slot) {
        ClientQueue clientQueue = clientQueues.computeIfAbsent(client, ClientQueue::new);
        if (clientQueue.isAlone()) {
            clientQueue.joinBefore(turn);
        }
        QueuedCall queuedCall = new QueuedCall(clientQueue, slot);
        queuedCall.joinBefore(clientQueue.calls);
        size++;
        bytes += slot.bytes();
        return queuedCall;
    }

    /// The call whose turn it is; null if the queue is empty.
    @Nullable
    QueuedCall first() {
        return turn.after() instanceof ClientQueue clientQueue
                        && clientQueue.calls.after() instanceof QueuedCall queuedCall
                ? queuedCall
                : null;
    }

    /// Removes the call whose turn it is; the next turn is another client's if another one waits.
    void take(QueuedCall first) {
        remove(first);
        ClientQueue clientQueue = first.clientQueue();
        if (!clientQueue.isAlone()) {
            clientQueue.leave();
            clientQueue.joinBefore(turn);
        }
    }

    /// Removes a call that no longer waits; its client keeps its turn if more of its calls wait.
    void remove(QueuedCall queuedCall) {
        ClientQueue clientQueue = queuedCall.clientQueue();
        queuedCall.leave();
        size--;
        bytes -= queuedCall.slot().bytes();
        if (clientQueue.calls.isAlone()) {
            clientQueue.leave();
            clientQueues.remove(clientQueue.client);
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
