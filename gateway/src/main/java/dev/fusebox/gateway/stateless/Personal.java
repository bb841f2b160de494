package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// A server of the session era that works for one guest. Many of its calls may be under way at a time, and nothing says
/// which of them a question belongs to: all of them are the same client's. The call that has put the fewest questions
/// puts it, so that none meets its limit because of the questions of others. Thread-safe; [#welcome] and [#call] block,
/// as long as the caller has patience.
final class Personal implements Host, Peer {
    private final Upstream upstream;
    private final Subscriptions subscriptions;

    /// Calls that are under way, the latest first.
    private final Deque<OpenCall> calls = new ConcurrentLinkedDeque<>();

    private final LevelThere level;

    /// A call that is under way, and how many questions it has put.
    private record OpenCall(Earshot earshot, AtomicInteger questions) {
        boolean asked(Asker asker, Message.Request question) {
            boolean isPut = earshot.asked(asker, question);
            if (isPut) {
                questions.incrementAndGet();
            }
            return isPut;
        }
    }

    /// @param subscriptions hear what belongs to no call
    /// @param opening makes the way to the server for a peer
    Personal(Subscriptions subscriptions, Function<Peer, Upstream> opening) {
        this.subscriptions = subscriptions;
        this.upstream = opening.apply(this);
        this.level = new LevelThere(upstream);
    }

    Upstream upstream() {
        return upstream;
    }

    @Override
    public Upstream.Welcome welcome(Patience patience) {
        return upstream.welcome(patience);
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        Earshot earshot = new Earshot(call.caller(), client.logLevel(), subscriptions::told);
        OpenCall open = new OpenCall(earshot, new AtomicInteger());
        calls.addFirst(open);
        try {
            level.hearFrom(client.logLevel(), call.patience());
            return upstream.call(call.with(call.request(), earshot));
        } finally {
            calls.remove(open);
        }
    }

    /// What nobody has answered by the end of the call that put it is put by another.
    @Override
    public void done(Outcome outcome, List<Parked.Question> open) {
        for (Parked.Question question : open) {
            if (!asked(question.asker(), question.request())) {
                question.asker()
                        .tell(Frames.error(
                                question.request().id(), ErrorCode.INTERNAL_ERROR, "the client did not answer", null));
            }
        }
    }

    // ---- From the server

    @Override
    public boolean asked(Asker asker, Message.Request question) {
        // The counts are read once: they may change while the calls are put in order.
        return calls.stream()
                .map(call -> Map.entry(call.questions().get(), call))
                .sorted(Map.Entry.comparingByKey())
                .anyMatch(entry -> entry.getValue().asked(asker, question));
    }

    @Override
    public void told(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" ->
                calls.forEach(call -> call.earshot().told(notification));
            case "notifications/message" ->
                calls.stream()
                        .map(OpenCall::earshot)
                        .filter(call -> call.level() != null)
                        .findFirst()
                        .ifPresent(call -> call.told(notification));
            default -> subscriptions.told(notification);
        }
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        subscriptions.lost(connection, fault);
    }
}
