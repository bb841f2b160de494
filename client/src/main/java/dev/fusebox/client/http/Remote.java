package dev.fusebox.client.http;

import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;

/// A server over HTTP, as all connections to it share it. Thread-safe.
///
/// @param outbound the way to it
/// @param target where it is
/// @param notBefore until when it wants to be left alone, by all of them
record Remote(World world, Outbound outbound, HttpTarget target, NotBefore notBefore) {
    Remote(World world, Outbound outbound, HttpTarget target) {
        this(world, outbound, target, new NotBefore(world.ticker()));
    }

    /// For the log.
    String name() {
        return target.origin().toString();
    }

    /// Reads what it has sent.
    Message read(byte[] frame) {
        return Message.read(frame, outbound.settings().maxDepth());
    }

    /// Who judges its refusals.
    Verdict verdict() {
        return new Verdict(world, target.secrets());
    }
}
