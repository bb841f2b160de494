package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.protocol.JsonView;
import java.util.List;

/// Whom scripts call. Called on virtual threads, several at the same time; may block for as long as the patience
/// lasts.
public interface ScriptHost {
    /// Names of the servers that a script may list; it may call others and be refused.
    List<String> servers();

    /// The client that the script is run for: those that are equal share a turn when scripts wait.
    default Object client() {
        return this;
    }

    /// Makes one call, and tells what came of it.
    Answer call(Request request, Deadline deadline);

    /// One call of a script. Immutable.
    ///
    /// @param args an object
    record Request(String server, String tool, JsonView args) {}

    /// What came of it. Immutable.
    sealed interface Answer {
        /// It was answered.
        ///
        /// @param value what the script gets
        record Good(JsonView value) implements Answer {}

        /// The script gets an error with this message.
        ///
        /// @param error an object that it finds as `error` in it
        record Bad(String message, JsonView error) implements Answer {}
    }
}
