package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicBoolean;

/// The executor of what a server's lifecycle requests: catalog readings and health checks. Thread-safe; nothing
/// blocks.
final class LifecycleTasks implements ServerGeneration.Owner {
    private final Server server;
    private final ServerCatalog catalog;

    /// Whether there is a connection on which the catalog has not been read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    /// The server as seen by its health checks.
    interface Server {
        /// Whether it is up and works on calls. Such a server counts as healthy even if it does not answer a
        /// ping meanwhile.
        boolean isBusy();

        /// Sends a ping. Blocks for the answer.
        void ping();
    }

    LifecycleTasks(Server server, ServerCatalog catalog) {
        this.server = server;
        this.catalog = catalog;
    }

    /// Reads the lists even if no client has requested them: calls need schemas and annotations.
    @Override
    public void read() {
        catalog.due();
    }

    @Override
    public void connected() {
        fresh.set(true);
        catalog.reconnected();
    }

    /// Notes a catalog reading; returns whether it was the first on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A busy server is checked at the next interval.
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
