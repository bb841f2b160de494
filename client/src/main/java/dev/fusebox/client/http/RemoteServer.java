package dev.fusebox.client.http;

import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;

/// A server over HTTP, as all connections to it share it. Thread-safe.
///
/// @param outboundHttpClient the way to it
/// @param target where it is
/// @param retryAfterGate until when it wants to be left alone, by all of them
record RemoteServer(
        World world, OutboundHttpClient outboundHttpClient, HttpTarget target, RetryAfterGate retryAfterGate) {
    RemoteServer(World world, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(world, outboundHttpClient, target, new RetryAfterGate(world.ticker()));
    }

    /// For the log.
    String name() {
        return target.origin().toString();
    }

    /// Reads what it has sent.
    Message read(byte[] frame) {
        return Message.read(frame, outboundHttpClient.settings().maxDepth());
    }

    /// Who judges its refusals.
    ResponseClassifier responseClassifier() {
        return new ResponseClassifier(world, target.secrets());
    }
}
