package dev.fusebox.client;

import dev.fusebox.protocol.Message;

/// One request on its way to a server. Immutable but for the patience.
///
/// @param request as the client sent it
/// @param patience how long the caller waits
/// @param caller whom progress goes to
public record Call(Message.Request request, Patience patience, Caller caller) {}
