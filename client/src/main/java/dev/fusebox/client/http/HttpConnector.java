package dev.fusebox.client.http;

import dev.fusebox.client.Connector;
import dev.fusebox.client.Peer;
import dev.fusebox.world.World;

/// Reaches a server over Streamable HTTP. Thread-safe. Opening sends nothing and does not block: the first request of a
/// connection is what begins it.
public final class HttpConnector implements Connector {
    private final World world;
    private final Outbound outbound;
    private final HttpTarget target;

    public HttpConnector(World world, Outbound outbound, HttpTarget target) {
        this.world = world;
        this.outbound = outbound;
        this.target = target;
    }

    @Override
    public Opened open(Peer peer) {
        return new Opened.Connected(new HttpConnection(world, outbound, target, peer));
    }
}
