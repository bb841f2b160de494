package dev.fusebox.client.http;

import dev.fusebox.client.Connector;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Peer;
import dev.fusebox.client.WireConnection;
import dev.fusebox.world.World;

/// Reaches a server over the transport of revision 2024-11-05, HTTP with SSE: a stream from the server, and a POST for
/// each message to it. Thread-safe; [#open] blocks until the server has told where to post, or cannot.
public final class SseConnector implements Connector {
    private final World world;
    private final Outbound outbound;
    private final HttpTarget target;

    public SseConnector(World world, Outbound outbound, HttpTarget target) {
        this.world = world;
        this.outbound = outbound;
        this.target = target;
    }

    @Override
    public Opened open(Peer peer) {
        WireConnection connection = new WireConnection(world, peer);
        SseWire wire = new SseWire(world, outbound, target, connection);
        Fault fault = wire.open();
        if (fault != null) {
            wire.close();
            return new Opened.Refused(fault);
        }
        connection.attach(wire);
        return new Opened.Connected(connection);
    }
}
