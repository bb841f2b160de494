package dev.fusebox.gateway.upstream;

import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicBoolean;

/// Does for the life of a member what is due. Thread-safe; nothing blocks.
final class LifecycleTasks implements ServerGeneration.Owner {
    private final UpstreamServer server;
    private final ServerCatalog catalog;

    /// Whether there is a connection on which nothing was read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    LifecycleTasks(UpstreamServer server, ServerCatalog catalog) {
        this.server = server;
        this.catalog = catalog;
    }

    /// Even if no client asks for lists: what a tool takes, and whether it only reads, has to be known to call it.
    @Override
    public void read() {
        catalog.due();
    }

    @Override
    public void connected() {
        fresh.set(true);
        catalog.reconnected();
    }

    /// What the server offers was read: whether that was the first time on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A server that works on a call is not sick, though it may answer nothing else meanwhile.
    @Override
    public void poll() {
        boolean isUp = !server.health().status().isDown();
        boolean isBusy = isUp && server.inside() > 0;
        if (!isBusy) {
            // Otherwise it is asked the next time.
            VirtualThreadStarter.start("fusebox-poll", server::ping, () -> {});
        }
    }

    @Override
    public boolean isReading() {
        return !catalog.isIdle();
    }
}
