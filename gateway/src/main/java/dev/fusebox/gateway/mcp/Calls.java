package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Patience;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The requests of one client that are being worked on, bounded in number and in bytes. Thread-safe; nothing blocks.
final class Calls {
    private final int most;
    private final long mostBytes;
    private final ConcurrentMap<RequestId, Ongoing> ongoing = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /// A request that is being worked on.
    record Ongoing(Patience patience, Outlet outlet) {}

    /// Whether a request may be worked on.
    enum Entry {
        ADMITTED,
        /// A request with the same id is being worked on.
        TWICE,
        /// Too much is being worked on.
        FULL
    }

    Calls(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /// Notes the request. Whoever gets [Entry#ADMITTED] calls [#leave] once. A few more than the limit may get in when
    /// many come at the same moment.
    Entry enter(Message.Request request, Ongoing call) {
        int length = request.frame().length();
        if (ongoing.size() >= most || bytes.get() + length > Math.max(mostBytes, length)) {
            return Entry.FULL;
        }
        if (ongoing.putIfAbsent(request.id(), call) != null) {
            return Entry.TWICE;
        }
        bytes.addAndGet(length);
        return Entry.ADMITTED;
    }

    void leave(Message.Request request) {
        ongoing.remove(request.id());
        bytes.addAndGet(-request.frame().length());
    }

    @Nullable
    Ongoing find(RequestId id) {
        return ongoing.get(id);
    }

    /// The only one; null if there are none, or several.
    @Nullable
    Ongoing only() {
        Collection<Ongoing> all = ongoing.values();
        List<Ongoing> two = all.size() == 1 ? List.copyOf(all) : List.of();
        return two.size() == 1 ? two.getFirst() : null;
    }

    /// The patience of all callers.
    List<Patience> patience() {
        return ongoing.values().stream().map(Ongoing::patience).toList();
    }
}
