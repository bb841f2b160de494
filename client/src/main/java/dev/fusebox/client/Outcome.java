package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// How a call ended: with an answer of the server, good or bad, or without one. Immutable.
public sealed interface Outcome {
    /// The server answered; its frame is passed on as it is.
    record Answered(Message.Answer answer) implements Outcome {}

    /// There is no answer.
    record Failed(Fault fault) implements Outcome {}
}
