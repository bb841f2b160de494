package dev.fusebox.gateway.upstream;

import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicBoolean;

/// Carries out what the lifecycle of a server demands: readings of its catalog, and health checks. Thread-safe; nothing
/// blocks.
final class LifecycleTasks implements ServerGeneration.Owner {
    private final Server server;
    private final ServerCatalog catalog;

    /// Whether there is a connection on which the catalog was not read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    /// The server as its health checks see it.
    interface Server {
        /// Whether it is up and works on calls. Such a server is not sick, though it may not answer a ping meanwhile.
        boolean isBusy();

        /// Blocks for the answer.
        void ping();
    }

    LifecycleTasks(Server server, ServerCatalog catalog) {
        this.server = server;
        this.catalog = catalog;
    }

    /// Even if no client lists tools: their schemas and annotations have to be known for calls.
    @Override
    public void read() {
        catalog.due();
    }

    @Override
    public void connected() {
        fresh.set(true);
        catalog.reconnected();
    }

    /// Notes a reading of the catalog; says whether it was the first on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A busy server is checked the next time.
    @Override
    public void poll() {
        if (!server.isBusy()) {
            VirtualThreadStarter.start("fusebox-poll", server::ping, () -> {});
        }
    }

    @Override
    public boolean isReading() {
        return !catalog.isIdle();
    }
}
