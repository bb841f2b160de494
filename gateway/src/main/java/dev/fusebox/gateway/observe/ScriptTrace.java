package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The trace of a script. Thread-safe; nothing blocks.
public interface ScriptTrace {
    /// No trace.
    ScriptTrace NONE = new ScriptTrace() {
        @Override
        public Message.Request within(Message.Request call) {
            return call;
        }

        @Override
        public void end(@Nullable String error) {
            // Nothing to end.
        }
    };

    /// The call with the script's span as its parent.
    Message.Request within(Message.Request call);

    /// Ends the trace.
    ///
    /// @param error code of its error; null if it succeeded
    void end(@Nullable String error);
}
