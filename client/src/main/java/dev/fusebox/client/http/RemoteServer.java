package dev.fusebox.client.http;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;

/// A server over HTTP, as all connections to it share it. Thread-safe.
///
/// @param outboundHttpClient the way to it
/// @param target where it is
/// @param retryAfterGate until when it wants to be left alone, by all of them
record RemoteServer(
        Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target, RetryAfterGate retryAfterGate) {
    RemoteServer(Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(platform, outboundHttpClient, target, new RetryAfterGate(platform.ticker()));
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
        return new ResponseClassifier(platform, target.secrets());
    }
}
