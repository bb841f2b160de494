package dev.fusebox.gateway.era;

import dev.fusebox.client.CallSuspension;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A call whose server may ask its client something. The call has a thread of its own; whoever speaks for the
/// client waits beside it, leaves with the questions when there are any, and another comes back with the answers.
/// Thread-safe; only [#await] blocks.
///
/// ```
/// WORKING -- server asks --> ASKING -- client comes back --> WORKING
///    `------ call ends -----> ENDED <-- call ends ---'
/// ```
final class SuspendedCall implements Caller {
    /// By then a call whose time is over has ended by itself, and says better than we could how far it got.
    private static final Duration LAST_MOMENT = Duration.ofMillis(500);

    private final Platform platform;
    private final Deadline deadline;
    private final Askable askable;
    private final Map<String, Question> questions = new LinkedHashMap<>();
    private Caller client;
    private Promise<Boolean> news = new Promise<>();
    private @Nullable Outcome outcome;
    private boolean forsaken;
    private int lastKey;

    /// What the client of a call can be asked.
    ///
    /// @param capabilities that it declared
    /// @param budget of questions
    record Askable(JsonView capabilities, ServerRequestLimit.Budget budget) {}

    /// A question of the server.
    record Question(ReplyHandler replyHandler, Message.Request request) {}

    /// What whoever speaks for the client has to tell it.
    sealed interface Step {
        /// The call has ended.
        record Ended(Outcome outcome) implements Step {}

        /// The server wants to know something.
        ///
        /// @param inputRequests as they stand in an `input_required` result
        record Asking(String inputRequests) implements Step {}

        /// Neither, in the time that the client had.
        record Nothing() implements Step {}
    }

    SuspendedCall(Platform platform, Deadline deadline, Caller client, Askable askable) {
        this.askable = askable;
        this.platform = platform;
        this.deadline = deadline;
        this.client = client;
    }

    /// Waits until there is something to tell, as long as this client has patience.
    Step await(Deadline here) throws InterruptedException {
        while (true) {
            Promise<Boolean> awaited = news();
            Boolean come = here.await(awaited, platform);
            if (come == null && !here.isGivenUp()) {
                awaited.await(platform, LAST_MOMENT);
            }
            Step step = step();
            if (step != null) {
                return step;
            }
            if (come == null) {
                return new Step.Nothing();
            }
        }
    }

    private synchronized Promise<Boolean> news() {
        return news;
    }

    /// Null if there is nothing to tell, for instance because the server has withdrawn its question.
    private synchronized @Nullable Step step() {
        if (outcome != null) {
            return new Step.Ended(outcome);
        }
        if (!questions.isEmpty()) {
            return new Step.Asking(inputRequests());
        }
        if (news.now() != null) {
            news = new Promise<>();
        }
        return null;
    }

    private String inputRequests() {
        JsonWriter requests = new JsonWriter().beginObject();
        questions.forEach((key, question) -> {
            JsonView params = question.request().params();
            requests.name(key)
                    .beginObject()
                    .name("method")
                    .string(question.request().method());
            if (params != null) {
                requests.name("params").raw(params);
            }
            requests.endObject();
        });
        return requests.endObject().toString();
    }

    /// The client leaves with the questions.
    ///
    /// @param ending ends the call where the client does not come back and others need its place
    void leave(Runnable ending) {
        deadline.away(ending);
    }

    /// The absence of the client; null if it is there.
    @Nullable
    CallSuspension callSuspension() {
        return deadline.callSuspension();
    }

    /// The client is back, perhaps with answers; what it does not answer stays asked.
    void resume(@Nullable JsonView inputResponses, Caller back) {
        deadline.back();
        Map<Question, JsonView> answered = new LinkedHashMap<>();
        synchronized (this) {
            client = back;
            if (inputResponses != null) {
                inputResponses.forEachMember((key, response) -> take(key, response, answered));
            }
        }
        answered.forEach(this::answer);
    }

    private void take(String key, JsonView response, Map<Question, JsonView> answered) {
        Question question = questions.remove(key);
        if (question != null) {
            answered.put(question, response);
        }
    }

    private void answer(Question question, JsonView response) {
        RequestId id = question.request().id();
        question.replyHandler()
                .answer(JsonView.of("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" + response.json() + "}"), id);
        deadline.go();
    }

    /// Nobody will come back: the server is told so, and its call is cancelled.
    void forsake() {
        refuseAll();
        deadline.giveUp();
    }

    private void refuseAll() {
        Map<String, Question> open;
        synchronized (this) {
            forsaken = true;
            open = Map.copyOf(questions);
            questions.clear();
        }
        open.values().forEach(question -> {
            question.replyHandler()
                    .tell(JsonRpcFrames.error(
                            question.request().id(),
                            JsonRpcErrorCode.INTERNAL_ERROR,
                            "the client did not answer",
                            null));
            deadline.go();
        });
    }

    /// Gives the questions that nobody has answered. Whoever waits hears of the end by [#tell].
    synchronized List<Question> end(Outcome with) {
        outcome = with;
        List<Question> open = List.copyOf(questions.values());
        questions.clear();
        return open;
    }

    /// Whoever waits hears of what there is.
    void tell() {
        Promise<Boolean> waiting;
        synchronized (this) {
            waiting = news;
        }
        waiting.bring(true);
    }

    // ---- From the server

    @Override
    public boolean asked(ReplyHandler replyHandler, Message.Request question) {
        Promise<Boolean> waiting;
        synchronized (this) {
            if (outcome != null || forsaken || UndeclaredCapability.is(question.method(), askable.capabilities())) {
                return false;
            }
            if (!askable.budget().tryTake(question.method())) {
                askable.budget().refuse();
                return false;
            }
            questions.put("q" + ++lastKey, new Question(replyHandler, question));
            waiting = news;
        }
        deadline.stop();
        waiting.bring(true);
        return true;
    }

    @Override
    public void progress(byte[] frame) {
        client().progress(frame);
    }

    @Override
    public void told(Message.Notification notification) {
        if (notification.method().equals("notifications/cancelled")) {
            withdraw(notification.frame().path("params", "requestId"));
        } else {
            client().told(notification);
        }
    }

    /// The server no longer wants to know.
    private void withdraw(@Nullable JsonView id) {
        RequestId withdrawn = id == null ? null : RequestId.read(id);
        boolean known;
        synchronized (this) {
            known = questions
                    .values()
                    .removeIf(question -> question.request().id().equals(withdrawn));
        }
        if (known) {
            deadline.go();
        }
    }

    private synchronized Caller client() {
        return client;
    }
}
