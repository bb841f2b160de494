package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.WireConnection;
import dev.fusebox.platform.Platform;
import org.jspecify.annotations.Nullable;

/// Connector over the transport of revision 2024-11-05, HTTP with SSE: an event stream from the server, and a POST
/// for each message to it. Thread-safe; [#open] blocks until the server has sent its endpoint, or the attempt has
/// failed.
public final class SseConnector implements Connector {
    private final RemoteServer remote;

    public SseConnector(Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(platform, outboundHttpClient, target, RequestAuthorizer.NONE);
    }

    public SseConnector(
            Platform platform,
            OutboundHttpClient outboundHttpClient,
            HttpTarget target,
            RequestAuthorizer requestAuthorizer) {
        this.remote = new RemoteServer(platform, outboundHttpClient, target, requestAuthorizer);
    }

    @Override
    public @Nullable CallFailure refusal() {
        return remote.retryAfterGate().refusal();
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        WireConnection connection = new WireConnection(
                remote.platform(),
                remote.name(),
                serverMessageHandler,
                remote.outboundHttpClient().settings().maxDepth());
        SseWire wire = new SseWire(remote, connection);
        CallFailure failure = wire.open();
        if (failure != null) {
            wire.close();
            return new Opened.Refused(failure);
        }
        connection.attach(wire);
        return new Opened.Connected(connection);
    }
}
