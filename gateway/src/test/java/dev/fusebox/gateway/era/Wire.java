package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client's line to a gateway, of either transport. For one thread; waits for 30 s at most.
public interface Wire extends AutoCloseable {
    /// Sends a request and gives all that comes up to its answer, which is the last.
    List<JsonView> ask(String request);

    /// The answer only.
    default JsonView answer(String request) {
        return ask(request).getLast();
    }

    /// Sends what has no answer.
    void say(String frame);

    /// Sends a request whose messages are read one by one.
    Stream open(String request);

    /// What comes in the session and belongs to no request, and has not come with an answer before.
    Stream unrelated();

    /// How questions of the server are answered: with a result, as JSON; null for no answer.
    void answering(Function<JsonView, @Nullable String> answers);

    /// Begins a session.
    default JsonView hello(String capabilities) {
        JsonView welcome = answer(Messages.hello(capabilities));
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return welcome;
    }

    /// What comes for one request.
    interface Stream extends AutoCloseable {
        /// The next message; null at the end.
        @Nullable
        JsonView next();

        /// Leaves it, as clients of this transport do.
        @Override
        void close();
    }

    @Override
    void close();
}
