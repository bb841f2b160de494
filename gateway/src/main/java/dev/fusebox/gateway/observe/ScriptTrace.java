package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// A script that is being traced. Thread-safe; nothing blocks.
public interface ScriptTrace {
    /// Is not traced.
    ScriptTrace NONE = new ScriptTrace() {
        @Override
        public Message.Request within(Message.Request call) {
            return call;
        }

        @Override
        public void end(@Nullable String error) {
            // There is nothing to end.
        }
    };

    /// A call of the script, which says that it belongs to it.
    Message.Request within(Message.Request call);

    /// The script has ended.
    ///
    /// @param error code of its error; null if it succeeded
    void end(@Nullable String error);
}
