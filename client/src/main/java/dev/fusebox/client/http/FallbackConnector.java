package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Peer;
import dev.fusebox.world.World;
import org.jspecify.annotations.Nullable;

/// Connects over Streamable HTTP, and falls back to the transport of revision 2024-11-05: see
/// [FallbackConnection]. Thread-safe. Opening sends nothing and does not block.
public final class FallbackConnector implements Connector {
    private final Remote streamable;
    private final SseConnector older;

    public FallbackConnector(World world, Outbound outbound, HttpTarget target) {
        this.streamable = new Remote(world, outbound, target);
        this.older = new SseConnector(world, outbound, target);
    }

    @Override
    public @Nullable CallFailure refusal() {
        CallFailure refusal = streamable.notBefore().refusal();
        return refusal == null ? older.refusal() : refusal;
    }

    @Override
    public Opened open(Peer peer) {
        return new Opened.Connected(FallbackConnection.open(streamable, older, peer));
    }
}
