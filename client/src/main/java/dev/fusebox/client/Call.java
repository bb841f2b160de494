package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// Request to a server, with its deadline and its caller. Immutable but for the deadline and the slot.
///
/// @param request as the client sent it
/// @param deadline of the caller
/// @param caller that receives progress and requests of the server
/// @param slot in the send order of its client
public record Call(Message.Request request, Deadline deadline, Caller caller, SendSlot slot) {
    /// A call that does not belong to an ordered client stream.
    public Call(Message.Request request, Deadline deadline, Caller caller) {
        this(request, deadline, caller, SendSlot.NONE);
    }

    /// The same call with another request.
    public Call with(Message.Request other) {
        return new Call(other, deadline, caller, slot);
    }

    /// The same call for another caller, which receives progress and requests of the server.
    public Call with(Message.Request other, Caller listener) {
        return new Call(other, deadline, listener, slot);
    }

    /// The same call with another deadline.
    public Call with(Message.Request other, Deadline limit) {
        return new Call(other, limit, caller, slot);
    }
}
