package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.ScriptHost.Answer;
import dev.fusebox.sandbox.ScriptReport.CallMade;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A call that a script makes. Thread-safe; only [#made] blocks.
final class ScriptCall {
    /// The members that identify a failure.
    private static final List<String> NAMING = List.of("code", "server", "tool", "category", "outcome", "message");

    private final String id;
    private final ScriptHost.Request request;
    private final Deadline deadline;
    private final long maxBytes;
    private boolean isOver;
    private boolean isGood;
    private long millis;
    private @Nullable JsonView error;

    /// @param maxBytes the largest response that the script can hold
    ScriptCall(String id, ScriptHost.Request request, Deadline deadline, long maxBytes) {
        this.id = id;
        this.maxBytes = maxBytes;
        this.request = request;
        this.deadline = deadline;
    }

    /// Makes the call and returns the message for the worker.
    byte[] made(ScriptHost host) {
        Answer answer = answer(host);
        synchronized (this) {
            // A call that was abandoned keeps the result of that moment.
            isGood = !isOver && answer instanceof Answer.Good;
            millis = isOver ? millis : spent();
            isOver = true;
            error = answer instanceof Answer.Bad(String message, JsonView details) ? details : null;
        }
        JsonWriter frame = new JsonWriter().beginObject().name("answer").beginObject();
        frame.name("id").raw(id);
        switch (answer) {
            case Answer.Good(JsonView value) -> frame.name("value").raw(value);
            case Answer.Bad(String message, JsonView error) ->
                frame.name("message").string(message).name("error").raw(error);
        }
        return frame.endObject().endObject().bytes();
    }

    /// A bug of the gateway must not leave a script waiting.
    private Answer answer(ScriptHost host) {
        try {
            Answer answer = host.call(request, deadline);
            return answer instanceof Answer.Good(JsonView value) && value.length() > maxBytes
                    ? tooLarge(value)
                    : answer;
        } catch (RuntimeException | Error bug) {
            return bad("internal", "local", "internal error in the gateway: " + bug);
        }
    }

    private Answer tooLarge(JsonView value) {
        String message = request.tool() + " was executed, but its result has " + value.length() + " bytes, more than"
                + " a script can hold (" + maxBytes + ", execute.memoryMb); ask for less";
        return bad("limit_exceeded", "policy", message);
    }

    /// The error of every failed call. Its outcome is unknown: it may have been executed.
    private Answer bad(String code, String category, String message) {
        JsonWriter error = new JsonWriter().beginObject().name("code").string(code);
        error.name("server").string(request.server()).name("tool").string(request.tool());
        error.name("category").string(category).name("outcome").string("unknown");
        error.name("message").string(message);
        return new Answer.Bad(message, JsonView.of(error.endObject().toString()));
    }

    /// The error that the script received when this call failed, if that is what it threw; null otherwise.
    /// Compares only the members that identify the failure, because a script formats numbers in its own way.
    synchronized @Nullable JsonView errorOf(JsonView thrown) {
        JsonView told = error;
        boolean isSame = told != null
                && NAMING.stream().allMatch(name -> Objects.equals(told.string(name), thrown.string(name)));
        return isSame ? told : null;
    }

    /// Ends the wait for its result.
    void giveUp() {
        synchronized (this) {
            if (!isOver) {
                isOver = true;
                millis = spent();
            }
        }
        deadline.giveUp();
    }

    private long spent() {
        return deadline.age().toMillis();
    }

    synchronized CallMade report() {
        return new CallMade(request.server(), request.tool(), isGood, isOver ? millis : spent());
    }
}
