package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import org.jspecify.annotations.Nullable;

/// Connector over Streamable HTTP. Thread-safe. Opening sends nothing and does not block: a connection begins with
/// its first request.
public final class StreamableHttpConnector implements Connector {
    private final RemoteServer remote;

    public StreamableHttpConnector(Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(platform, outboundHttpClient, target, RequestAuthorizer.NONE);
    }

    public StreamableHttpConnector(
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
        return new Opened.Connected(new StreamableHttpConnection(remote, serverMessageHandler));
    }
}
