package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import org.jspecify.annotations.Nullable;

/// Connector over Streamable HTTP with a fallback to the transport of revision 2024-11-05, see
/// [FallbackConnection]. Thread-safe. Opening sends nothing and does not block.
public final class FallbackConnector implements Connector {
    private final RemoteServer streamable;
    private final SseConnector older;

    public FallbackConnector(Platform platform, OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(platform, outboundHttpClient, target, RequestAuthorizer.NONE);
    }

    public FallbackConnector(
            Platform platform,
            OutboundHttpClient outboundHttpClient,
            HttpTarget target,
            RequestAuthorizer requestAuthorizer) {
        this.streamable = new RemoteServer(platform, outboundHttpClient, target, requestAuthorizer);
        this.older = new SseConnector(platform, outboundHttpClient, target, requestAuthorizer);
    }

    @Override
    public @Nullable CallFailure refusal() {
        CallFailure refusal = streamable.retryAfterGate().refusal();
        return refusal == null ? older.refusal() : refusal;
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        return new Opened.Connected(FallbackConnection.open(streamable, older, serverMessageHandler));
    }
}
