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

/// The requests of one client that are being worked on, bounded in number and in bytes. A call ends once: it is
/// either cancelled or answered. Thread-safe; nothing blocks.
final class PendingCalls {
    private final FrontLimits frontLimits;
    private final ConcurrentMap<RequestId, Ongoing> ongoing = new ConcurrentHashMap<>();

    /// A request that is being worked on.
    ///
    /// @param questions that servers may still ask because of it
    /// @param isCancellable false for a handshake (specification, section "Cancellation")
    record Ongoing(
            Deadline deadline,
            ClientChannel clientChannel,
            ServerRequestLimit.Budget questions,
            boolean isCancellable) {}

    /// Whether a request may be worked on.
    enum Entry {
        ADMITTED,
        /// A request with the same id is being worked on.
        TWICE,
        /// Too much is being worked on, or the end has begun.
        REFUSED
    }

    PendingCalls(int most, long mostBytes) {
        this.frontLimits = new FrontLimits(most, mostBytes);
    }

    /// Notes the request. Every [Entry#ADMITTED] is followed by one [#leave].
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

    /// Admits no more.
    void close() {
        frontLimits.close();
    }

    /// Why a request is not admitted that is no second one.
    CallFailure refusal() {
        return frontLimits.refusal();
    }

    /// Ends it just before its answer is sent, so that its id is free when the client has the answer.
    ///
    /// @return whether the client still wants the answer; a cancellation has no effect from now on
    boolean leave(Message.Request request, Ongoing call) {
        frontLimits.leave(request.frame().length());
        return ongoing.remove(request.id(), call);
    }

    /// Gives the call up, unless it has ended: it is not answered.
    void cancel(RequestId id) {
        Ongoing call = ongoing.get(id);
        if (call != null && call.isCancellable() && ongoing.remove(id, call)) {
            call.deadline().giveUp();
        }
    }

    /// The only one; null if there are none, or several.
    @Nullable
    Ongoing only() {
        Collection<Ongoing> all = ongoing.values();
        List<Ongoing> two = all.size() == 1 ? List.copyOf(all) : List.of();
        return two.size() == 1 ? two.getFirst() : null;
    }

    /// Whether there is none.
    boolean isEmpty() {
        return ongoing.isEmpty();
    }

    /// Takes a question out of the budget of one of them, if it is not known which one it belongs to; false if all
    /// budgets are spent.
    boolean tryAsk(String method) {
        return ongoing.values().stream().anyMatch(each -> each.questions().tryTake(method));
    }

    /// The patience of all callers.
    List<Deadline> deadlines() {
        return ongoing.values().stream().map(Ongoing::deadline).toList();
    }
}
