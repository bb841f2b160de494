package dev.fusebox.gateway.front;

import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The unanswered requests of the server to the client. Meanwhile the deadlines of the calls that may have caused
/// a request are suspended. Thread-safe; nothing blocks.
final class ServerRequests {
    /// No client answers more; further requests of the server are rejected.
    private static final int MAX = 1_000;

    private final Timers timers;
    private final Duration limit;
    private final BiConsumer<RequestId, PendingRequest> unanswered;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<RequestId, PendingRequest> open = new ConcurrentHashMap<>();

    /// One request.
    ///
    /// @param replyHandler receives the client's response
    /// @param asked the id that the server used
    /// @param waiting the suspended deadlines
    /// @param alarm the timeout
    record PendingRequest(ReplyHandler replyHandler, RequestId asked, List<Deadline> waiting, Timer alarm) {}

    /// @param limit the longest time for a response
    /// @param unanswered is called on a timeout with the id that the client knows, and the request
    ServerRequests(Timers timers, Duration limit, BiConsumer<RequestId, PendingRequest> unanswered) {
        this.timers = timers;
        this.limit = limit;
        this.unanswered = unanswered;
    }

    /// Sets the id of the next request. To be called before the first one.
    void countFrom(long firstId) {
        lastId.set(firstId - 1);
    }

    /// Registers a request; returns the id under which the client gets it, or null if too many are open.
    @Nullable
    RequestId ask(ReplyHandler replyHandler, RequestId asked, List<Deadline> waiting) {
        if (open.size() >= MAX) {
            return null;
        }
        RequestId id = RequestId.of(lastId.incrementAndGet());
        waiting.forEach(Deadline::stop);
        open.put(id, new PendingRequest(replyHandler, asked, waiting, timers.schedule(limit, () -> expire(id))));
        return id;
    }

    private void expire(RequestId id) {
        PendingRequest pendingRequest = remove(id);
        if (pendingRequest != null) {
            unanswered.accept(id, pendingRequest);
        }
    }

    /// Takes the request for a client's response; null if it is no longer open.
    @Nullable
    PendingRequest remove(RequestId id) {
        PendingRequest pendingRequest = open.remove(id);
        if (pendingRequest != null) {
            pendingRequest.alarm().cancel();
            pendingRequest.waiting().forEach(Deadline::go);
        }
        return pendingRequest;
    }

    /// Withdraws a request of the server; returns the client's id for it, or null if it was answered.
    @Nullable
    RequestId cancel(RequestId asked) {
        for (Map.Entry<RequestId, PendingRequest> entry : open.entrySet()) {
            if (entry.getValue().asked().equals(asked)) {
                remove(entry.getKey());
                return entry.getKey();
            }
        }
        return null;
    }

    /// Withdraws all requests of a lost connection; returns the client's ids for them.
    List<RequestId> removeAll(Connection asker) {
        List<RequestId> lost = open.entrySet().stream()
                .filter(entry -> entry.getValue().replyHandler().equals(asker))
                .map(Map.Entry::getKey)
                .toList();
        lost.forEach(this::remove);
        return lost;
    }

    /// Ends all requests: no more responses will come.
    void clear() {
        List.copyOf(open.keySet()).forEach(this::remove);
    }
}
