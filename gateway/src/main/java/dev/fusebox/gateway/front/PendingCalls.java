package dev.fusebox.gateway.front;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.FrontLimits;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The calls in flight of one client, bounded in number and in bytes. A call ends once: it is either cancelled or
/// answered. Thread-safe; nothing blocks.
final class PendingCalls {
    private final FrontLimits frontLimits;
    private final ConcurrentMap<RequestId, Ongoing> ongoing = new ConcurrentHashMap<>();

    /// A call in flight.
    ///
    /// @param questions the remaining budget of server requests during it
    /// @param isCancellable false for a handshake (specification, section "Cancellation")
    record Ongoing(
            Deadline deadline,
            ClientChannel clientChannel,
            ServerRequestLimit.Budget questions,
            boolean isCancellable) {}

    /// The result of registering a request.
    enum Entry {
        ADMITTED,
        /// A request with the same id is in flight.
        TWICE,
        /// Too many calls are in flight, or the gateway is shutting down.
        REFUSED
    }

    PendingCalls(int most, long maxBytes) {
        this.frontLimits = new FrontLimits(most, maxBytes);
    }

    /// Registers the request. Every [Entry#ADMITTED] is followed by one [#leave].
    Entry enter(Message.Request request, Ongoing call) {
        int length = request.frame().length();
        if (!frontLimits.tryEnter(length)) {
            return Entry.REFUSED;
        }
        if (ongoing.putIfAbsent(request.id(), call) != null) {
            frontLimits.leave(length);
            return Entry.TWICE;
        }
        return Entry.ADMITTED;
    }

    /// Admits no more calls.
    void close() {
        frontLimits.close();
    }

    /// The failure for a request that is not admitted.
    CallFailure refusal() {
        return frontLimits.refusal();
    }

    /// Ends the call just before its response is sent, so that its id is free when the client has the response.
    ///
    /// @return whether the client still wants the response; a cancellation has no effect from now on
    boolean leave(Message.Request request, Ongoing call) {
        frontLimits.leave(request.frame().length());
        return ongoing.remove(request.id(), call);
    }

    /// Cancels the call, unless it has ended: it is not answered.
    void cancel(RequestId id) {
        Ongoing call = ongoing.get(id);
        if (call != null && call.isCancellable() && ongoing.remove(id, call)) {
            call.deadline().giveUp();
        }
    }

    /// The only call in flight; null if there are none, or several.
    @Nullable
    Ongoing only() {
        Collection<Ongoing> all = ongoing.values();
        List<Ongoing> two = all.size() == 1 ? List.copyOf(all) : List.of();
        return two.size() == 1 ? two.getFirst() : null;
    }

    /// Whether no call is in flight.
    boolean isEmpty() {
        return ongoing.isEmpty();
    }

    /// Takes a server request from the budget of one of the calls, when it is unknown which one it belongs to;
    /// false if all budgets are spent.
    boolean tryAsk(String method) {
        return ongoing.values().stream().anyMatch(each -> each.questions().tryTake(method));
    }

    /// The deadlines of all calls in flight.
    List<Deadline> deadlines() {
        return ongoing.values().stream().map(Ongoing::deadline).toList();
    }
}
