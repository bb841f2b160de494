package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;

/// Receiver of the response to a request that a server sent to the client. Thread-safe; nothing blocks.
public interface ReplyHandler {
    /// Receives the client's response, a result or an error.
    void answer(JsonView answer, RequestId question);

    /// Receives an error frame instead of a response.
    void sendOneWay(byte[] refusal);
}
