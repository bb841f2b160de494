package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Peer;
import dev.fusebox.world.World;
import org.jspecify.annotations.Nullable;

/// Reaches a server over Streamable HTTP. Thread-safe. Opening sends nothing and does not block: the first request
/// of a connection is what begins it.
public final class HttpConnector implements Connector {
    private final Remote remote;

    public HttpConnector(World world, Outbound outbound, HttpTarget target) {
        this.remote = new Remote(world, outbound, target);
    }

    @Override
    public @Nullable CallFailure refusal() {
        return remote.notBefore().refusal();
    }

    @Override
    public Opened open(Peer peer) {
        return new Opened.Connected(new HttpConnection(remote, peer));
    }
}
