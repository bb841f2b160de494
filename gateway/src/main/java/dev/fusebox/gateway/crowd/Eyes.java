package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Fault;
import dev.fusebox.client.Witness;

/// Sees a server's connections for its lane, and for whoever wants to know of new ones.
record Eyes(Witness lane, Runnable onConnected) implements Witness {
    @Override
    public void connected() {
        lane.connected();
        onConnected.run();
    }

    @Override
    public void failed(Fault fault) {
        lane.failed(fault);
    }

    @Override
    public void lost(Fault fault) {
        lane.lost(fault);
    }
}
