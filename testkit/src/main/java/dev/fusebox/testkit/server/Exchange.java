package dev.fusebox.testkit.server;

import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One call of a tool while it runs: what it was given, and its ways back to the client. Thread-safe. [#ask] and
/// [#pause] block.
final class Exchange {
    private static final JsonView NOTHING = JsonView.of("{}");

    private final Conversation conversation;
    private final RequestId id;
    private final JsonView params;
    private final Outbox outbox;
    private volatile boolean cancelled;
    private volatile @Nullable Thread thread;

    Exchange(Conversation conversation, RequestId id, @Nullable JsonView params, Outbox outbox) {
        this.conversation = conversation;
        this.id = id;
        this.params = params == null ? NOTHING : params;
        this.outbox = outbox;
    }

    Conversation conversation() {
        return conversation;
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

    long number(String name, long fallback) throws ToolFault {
        JsonView value = arguments().member(name);
        try {
            return value == null ? fallback : Long.parseLong(value.json());
        } catch (NumberFormatException e) {
            throw new ToolFault("the argument " + name + " takes a whole number, not " + value);
        }
    }

    /// Says how far the work is, if the client asked for that.
    void progress(long done, long total) {
        JsonView token = params.path("_meta", "progressToken");
        if (token != null) {
            outbox.send(Frames.notification(
                    "notifications/progress",
                    "{\"progressToken\":" + token.json() + ",\"progress\":" + done + ",\"total\":" + total
                            + ",\"message\":\"" + done + " of " + total + "\"}"));
        }
    }

    /// Sends a log message at level info, if the client wants that level.
    void log(String text) {
        conversation.log("info", text, outbox);
    }

    /// Sends the client a request and waits for its answer.
    ///
    /// @param params JSON
    /// @return the result
    JsonView ask(String method, String params) throws ToolFault, InterruptedException {
        return conversation.ask(method, params, outbox);
    }

    void pause(long milliseconds) throws InterruptedException {
        conversation.fixture().world().pause(Duration.ofMillis(milliseconds));
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
