package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One call of a tool, a prompt or a resource while it runs: what it was given, and its ways back to the client.
/// Thread-safe. Asking and pausing block.
final class CallContext {
    private static final JsonView NOTHING = JsonView.of("{}");

    private final CallClient client;
    private final RequestId id;
    private final JsonView params;
    private final Outbox outbox;
    private volatile boolean cancelled;
    private volatile @Nullable Thread thread;

    CallContext(CallClient client, Message.Request request, Outbox outbox) {
        JsonView given = request.params();
        this.client = client;
        this.id = request.id();
        this.params = given == null ? NOTHING : given;
        this.outbox = outbox;
    }

    CallClient client() {
        return client;
    }

    Fixture fixture() {
        return client.fixture();
    }

    RequestId id() {
        return id;
    }

    JsonView params() {
        return params;
    }

    Outbox outbox() {
        return outbox;
    }

    JsonView arguments() {
        JsonView arguments = params.member("arguments");
        return arguments == null ? NOTHING : arguments;
    }

    String text(String name, String fallback) {
        String text = arguments().string(name);
        return text == null ? fallback : text;
    }

    long number(String name, long fallback) throws ToolError {
        JsonView value = arguments().member(name);
        try {
            return value == null ? fallback : Long.parseLong(value.json());
        } catch (NumberFormatException e) {
            throw new ToolError("the argument " + name + " takes a whole number, not " + value);
        }
    }

    /// Says how far the work is, if the client asked for that.
    void progress(long done, long total) {
        JsonView token = params.path("_meta", "progressToken");
        if (token != null) {
            outbox.send(JsonRpcFrames.notification(
                    "notifications/progress",
                    "{\"progressToken\":" + token.json() + ",\"progress\":" + done + ",\"total\":" + total
                            + ",\"message\":\"" + done + " of " + total + "\"}"));
        }
    }

    /// Sends a log message at level info, if the client wants that level.
    void log(String text) {
        client.log("info", text, outbox);
    }

    /// Refuses the call unless the client can do this.
    void require(String capability) throws NoResult {
        if (!client.can(capability)) {
            throw client.lacks(capability);
        }
    }

    /// Asks the client and gives its answer.
    JsonView ask(ClientQuestion question) throws NoResult, InterruptedException {
        Map<String, JsonView> answers = ask(List.of(question));
        return answers.getOrDefault(question.key(), NOTHING);
    }

    /// Asks the client several things at once and gives its answers, each under the key of its question.
    Map<String, JsonView> ask(List<ClientQuestion> questions) throws NoResult, InterruptedException {
        return client.ask(questions, this);
    }

    void pause(long milliseconds) throws InterruptedException {
        pause(Duration.ofMillis(milliseconds));
    }

    void pause(Duration duration) throws InterruptedException {
        outbox.begin();
        fixture().platform().pause(duration);
    }

    boolean isCancelled() {
        return cancelled;
    }

    void runsOn(Thread worker) {
        thread = worker;
        if (cancelled) {
            worker.interrupt();
        }
    }

    void cancel() {
        cancelled = true;
        Thread worker = thread;
        if (worker != null) {
            worker.interrupt();
        }
    }
}
