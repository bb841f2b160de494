package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// One request on its way to a server. Immutable but for the patience and the slot.
///
/// @param request as the client sent it
/// @param deadline how long the caller waits
/// @param caller whom progress goes to
/// @param slot its place among the messages of its client
public record Call(Message.Request request, Deadline deadline, Caller caller, SendSlot slot) {
    /// A call that no client stream puts in order.
    public Call(Message.Request request, Deadline deadline, Caller caller) {
        this(request, deadline, caller, SendSlot.NONE);
    }

    /// The same call with another request.
    public Call with(Message.Request other) {
        return new Call(other, deadline, caller, slot);
    }

    /// The same call for another caller, which gets progress and questions.
    public Call with(Message.Request other, Caller listener) {
        return new Call(other, deadline, listener, slot);
    }

    /// The same call with another deadline.
    public Call with(Message.Request other, Deadline limit) {
        return new Call(other, limit, caller, slot);
    }
}
