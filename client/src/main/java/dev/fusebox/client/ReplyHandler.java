package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;

/// Whoever asked the client something and waits for the answer. Thread-safe; nothing blocks.
public interface ReplyHandler {
    /// Takes the client's answer, a result or an error.
    void answer(JsonView answer, RequestId question);

    /// Takes word that nobody will answer, as a frame with an error.
    void tell(byte[] refusal);
}
