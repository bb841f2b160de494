package dev.fusebox.testkit.server;

import dev.fusebox.protocol.Message;

/// One era of the protocol, on the side of the server: turns messages into calls of the tools and back. Thread-safe.
/// Comes back soon; calls of tools run on threads of their own.
interface Codec {
    /// Takes one message.
    ///
    /// @param outbox where the answer goes, and everything that belongs to it
    void receive(Message message, Outbox outbox);
}
