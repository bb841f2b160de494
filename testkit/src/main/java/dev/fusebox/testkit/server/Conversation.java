package dev.fusebox.testkit.server;

import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What a server remembers of one client: what it can do, which log level it wants, what it subscribed to, which of its
/// calls run, and what it was asked. Belongs to one pipe or one session. Thread-safe; only [#ask] blocks.
final class Conversation implements AutoCloseable {
    /// From the least to the most serious.
    static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private final Fixture fixture;
    private final Outbox general;
    private final Set<String> subscriptions = ConcurrentHashMap.newKeySet();
    private final Map<RequestId, Exchange> running = new ConcurrentHashMap<>();
    private final Map<RequestId, Asked> asked = new ConcurrentHashMap<>();
    private final AtomicLong questions = new AtomicLong();
    private volatile @Nullable JsonView capabilities;
    private volatile String revision = "";
    private volatile int leastLevel = LEVELS.indexOf("info");

    /// @param general where messages go that belong to no request
    Conversation(Fixture fixture, Outbox general) {
        this.fixture = fixture;
        this.general = general;
        fixture.opened(this);
    }

    Fixture fixture() {
        return fixture;
    }

    /// The revision agreed on; empty before that.
    String revision() {
        return revision;
    }

    void agree(String onRevision, @Nullable JsonView clientCapabilities) {
        revision = onRevision;
        capabilities = clientCapabilities;
    }

    void logFrom(String level) throws RpcFault {
        if (!LEVELS.contains(level)) {
            throw RpcFault.invalidParams("there is no log level '" + level + "', only " + LEVELS);
        }
        leastLevel = LEVELS.indexOf(level);
    }

    void log(String level, String text, Outbox outbox) {
        if (LEVELS.indexOf(level) >= leastLevel) {
            outbox.send(Frames.notification(
                    "notifications/message",
                    "{\"level\":\"" + level + "\",\"logger\":\"fixture\",\"data\":" + Content.quoted(text) + "}"));
        }
    }

    void subscribe(String uri) {
        subscriptions.add(uri);
    }

    void unsubscribe(String uri) {
        subscriptions.remove(uri);
    }

    /// Tells the client that a resource has changed, if it wants to know.
    void updated(String uri) {
        if (subscriptions.contains(uri)) {
            notify("notifications/resources/updated", "{\"uri\":" + Content.quoted(uri) + "}");
        }
    }

    /// Sends a notification that belongs to no request.
    void notify(String method, @Nullable String params) {
        if (!revision.isEmpty()) {
            general.send(Frames.notification(method, params));
        }
    }

    JsonView ask(String method, String params, Outbox outbox) throws ToolFault, InterruptedException {
        RequestId id = RequestId.of("fixture-" + questions.incrementAndGet());
        Asked question = new Asked();
        asked.put(id, question);
        try {
            outbox.send(Frames.request(id, method, params));
            return question.await(method, fixture.world());
        } finally {
            asked.remove(id);
        }
    }

    /// Whether the client said that it can do this.
    boolean clientCan(String capability) {
        JsonView known = capabilities;
        return known != null && known.member(capability) != null;
    }

    void answered(Message.Answer answer) {
        Asked question = asked.remove(answer.id());
        if (question != null) {
            question.answered(answer);
        }
    }

    void started(Exchange exchange) {
        running.put(exchange.id(), exchange);
    }

    /// Whether the call was still running, and so may be answered. A cancelled one is answered no more.
    boolean ended(Exchange exchange) {
        return running.remove(exchange.id(), exchange) && !exchange.isCancelled();
    }

    void cancel(RequestId id) {
        Exchange exchange = running.get(id);
        if (exchange != null) {
            exchange.cancel();
        }
    }

    /// Gives up all calls that run.
    @Override
    public void close() {
        fixture.closed(this);
        running.values().forEach(Exchange::cancel);
    }
}
