package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// One request on its way to a server. Immutable but for its clock.
///
/// @param request as the client sent it
/// @param clock how long it may still take
/// @param caller whom progress goes to
public record Call(Message.Request request, CallClock clock, Caller caller) {}
