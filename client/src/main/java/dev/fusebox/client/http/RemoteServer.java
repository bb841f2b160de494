package dev.fusebox.client.http;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;

/// Server over HTTP, shared by all connections to it. Thread-safe.
///
/// @param outboundHttpClient for all requests to it
/// @param target of all requests to it
/// @param retryAfterGate pause that the server asked for, which all connections observe
record RemoteServer(
        Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target, RetryAfterGate retryAfterGate) {
    RemoteServer(Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(platform, outboundHttpClient, target, new RetryAfterGate(platform.ticker()));
    }

    /// For the log.
    String name() {
        return target.origin().toString();
    }

    /// Parses a frame of the server.
    Message read(byte[] frame) {
        return Message.read(frame, outboundHttpClient.settings().maxDepth());
    }

    ResponseClassifier responseClassifier() {
        return new ResponseClassifier(platform, target.secrets());
    }
}
