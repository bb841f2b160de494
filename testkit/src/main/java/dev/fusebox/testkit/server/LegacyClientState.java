package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What a server remembers of one client in the era of sessions: what it can do, which log level it wants, what it
/// subscribed to, which of its calls run, and what it was asked. Belongs to one pipe or one session. Thread-safe;
/// only [#ask] and [#demand] block.
final class LegacyClientState implements CallClient, ChangeListener, AutoCloseable {
    /// From the least to the most serious.
    static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private final Fixture fixture;
    private final Outbox general;
    private final Set<String> subscriptions = ConcurrentHashMap.newKeySet();
    private final RunningCalls runningCalls = new RunningCalls();
    private final Map<RequestId, PendingQuestion> pendingQuestion = new ConcurrentHashMap<>();
    private final AtomicLong questions = new AtomicLong();
    private volatile @Nullable JsonView capabilities;
    private volatile String revision = "";
    private volatile int leastLevel = LEVELS.indexOf("info");

    /// @param general where messages go that belong to no request
    LegacyClientState(Fixture fixture, Outbox general) {
        this.fixture = fixture;
        this.general = general;
        fixture.opened(this);
    }

    @Override
    public Fixture fixture() {
        return fixture;
    }

    @Override
    public RunningCalls runningCalls() {
        return runningCalls;
    }

    @Override
    public String resultType() {
        return "";
    }

    @Override
    public String signature() {
        return "";
    }

    /// The revision agreed on; empty before that.
    String revision() {
        return revision;
    }

    void agree(String onRevision, @Nullable JsonView clientCapabilities) {
        revision = onRevision;
        capabilities = clientCapabilities;
    }

    void logFrom(String level) throws RpcError {
        if (!LEVELS.contains(level)) {
            throw RpcError.invalidParams("there is no log level '" + level + "', only " + LEVELS);
        }
        leastLevel = LEVELS.indexOf(level);
    }

    @Override
    public void log(String level, String text, Outbox outbox) {
        if (LEVELS.indexOf(level) >= leastLevel) {
            outbox.send(ToolContent.logMessage(level, text));
        }
    }

    void subscribe(String uri) {
        subscriptions.add(uri);
    }

    void unsubscribe(String uri) {
        subscriptions.remove(uri);
    }

    @Override
    public void updated(String uri) {
        if (subscriptions.contains(uri)) {
            notify("notifications/resources/updated", "{\"uri\":" + ToolContent.quoted(uri) + "}");
        }
    }

    @Override
    public void changed(String method) {
        notify(method, null);
    }

    /// A session ends without a word.
    @Override
    public void end() {}

    private void notify(String method, @Nullable String params) {
        if (!revision.isEmpty()) {
            general.send(JsonRpcFrames.notification(method, params));
        }
    }

    @Override
    public Map<String, JsonView> ask(List<ClientQuestion> questions, CallContext callContext)
            throws NoResult, InterruptedException {
        for (ClientQuestion question : questions) {
            callContext.require(question.capability());
        }
        var answers = new HashMap<String, JsonView>();
        for (ClientQuestion question : questions) {
            answers.put(question.key(), ask(question.method(), question.params(), callContext.outbox()));
        }
        return answers;
    }

    @Override
    public String demand(String method, Outbox outbox) throws InterruptedException {
        try {
            ask(method, "{}", outbox);
            return "answered";
        } catch (ToolError refused) {
            return "refused";
        }
    }

    private JsonView ask(String method, String params, Outbox outbox) throws ToolError, InterruptedException {
        RequestId id = RequestId.of("fixture-" + questions.incrementAndGet());
        PendingQuestion question = new PendingQuestion();
        pendingQuestion.put(id, question);
        try {
            outbox.send(JsonRpcFrames.request(id, method, params));
            return question.await(method, fixture.platform());
        } finally {
            pendingQuestion.remove(id);
        }
    }

    @Override
    public boolean can(String capability) {
        JsonView known = capabilities;
        return known != null && known.member(capability) != null;
    }

    @Override
    public NoResult lacks(String capability) {
        return new ToolError("the client offers no " + capability);
    }

    void answered(Message.Answer answer) {
        PendingQuestion question = pendingQuestion.remove(answer.id());
        if (question != null) {
            question.answered(answer);
        }
    }

    /// Gives up all calls that run.
    @Override
    public void close() {
        fixture.closed(this);
        runningCalls.cancelAll();
    }
}
