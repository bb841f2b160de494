package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.protocol.JsonView;
import java.util.List;

/// The receiver of calls from scripts. Called on virtual threads, several at the same time; may block until the
/// deadline.
public interface ScriptHost {
    /// Names of the servers that a script may list; calls to others are possible and may be refused.
    List<String> servers();

    /// The client of the script: equal clients share one turn when scripts wait.
    default Object client() {
        return this;
    }

    /// Makes one call and returns its result.
    Answer call(Request request, Deadline deadline);

    /// A call of a script. Immutable.
    ///
    /// @param args an object
    record Request(String server, String tool, JsonView args) {}

    /// The result of a call. Immutable.
    sealed interface Answer {
        /// A successful call.
        ///
        /// @param value the value for the script
        record Good(JsonView value) implements Answer {}

        /// A failed call; the script gets an error with this message.
        ///
        /// @param error the object in the member `error` of that error
        record Bad(String message, JsonView error) implements Answer {}
    }
}
