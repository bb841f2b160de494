package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Asker;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A call whose server may ask its client something. The call has a thread of its own; whoever speaks for the client
/// waits beside it, leaves with the questions when there are any, and another comes back with the answers. Thread-safe;
/// only [#await] blocks.
///
/// ```
/// WORKING -- server asks --> ASKING -- client comes back --> WORKING
///    `------ call ends -----> ENDED <-- call ends ---'
/// ```
final class Parked implements Caller {
    private final World world;
    private final Patience patience;
    private final Map<String, Question> questions = new LinkedHashMap<>();
    private Caller client;
    private Arrival<Boolean> news = new Arrival<>();
    private @Nullable Outcome outcome;
    private int lastKey;

    /// A question of the server.
    private record Question(Asker asker, Message.Request request) {}

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

    Parked(World world, Patience patience, Caller client) {
        this.world = world;
        this.patience = patience;
        this.client = client;
    }

    Patience patience() {
        return patience;
    }

    /// Waits until there is something to tell, as long as this client has patience.
    Step await(Patience here) throws InterruptedException {
        here.await(news(), world);
        synchronized (this) {
            if (outcome != null) {
                return new Step.Ended(outcome);
            }
            return questions.isEmpty() ? new Step.Nothing() : new Step.Asking(inputRequests());
        }
    }

    private synchronized Arrival<Boolean> news() {
        return news;
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

    /// The client is back, perhaps with answers; what it does not answer stays asked.
    void resume(@Nullable JsonView inputResponses, Caller back) {
        Map<Question, JsonView> answered = new LinkedHashMap<>();
        synchronized (this) {
            client = back;
            if (inputResponses != null) {
                inputResponses.forEachMember((key, response) -> take(key, response, answered));
            }
            news = questions.isEmpty() && outcome == null ? new Arrival<>() : news;
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
        question.asker().answer(JsonView.of("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" + response.json() + "}"), id);
        patience.go();
    }

    /// Nobody will come back: the server is told so, and its call is cancelled.
    void forsake() {
        Map<String, Question> open;
        synchronized (this) {
            open = Map.copyOf(questions);
            questions.clear();
        }
        open.values().forEach(question -> {
            question.asker()
                    .tell(Frames.error(
                            question.request().id(), ErrorCode.INTERNAL_ERROR, "the client did not answer", null));
            patience.go();
        });
        patience.giveUp();
    }

    void end(Outcome with) {
        Arrival<Boolean> waiting;
        synchronized (this) {
            outcome = with;
            waiting = news;
        }
        waiting.bring(true);
    }

    // ---- From the server

    @Override
    public boolean asked(Asker asker, Message.Request question) {
        patience.stop();
        Arrival<Boolean> waiting;
        synchronized (this) {
            questions.put("q" + ++lastKey, new Question(asker, question));
            waiting = news;
        }
        waiting.bring(true);
        return true;
    }

    @Override
    public void progress(byte[] frame) {
        client().progress(frame);
    }

    @Override
    public void told(Message.Notification notification) {
        client().told(notification);
    }

    private synchronized Caller client() {
        return client;
    }
}
