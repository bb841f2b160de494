package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// The executor of what a server's lifecycle requests: catalog readings and health checks. Thread-safe; nothing
/// blocks.
final class LifecycleTasks implements ServerGeneration.Owner {
    private final ServerCatalog catalog;
    private final BooleanSupplier isBusy;
    private final Runnable ping;
    private final ServerTasks serverTasks;

    /// Whether there is a connection on which the catalog has not been read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    /// @param isBusy whether the server is up and works on calls; it then counts as healthy even if it does not
    ///     answer a ping
    /// @param ping sends a ping; blocks for the answer
    LifecycleTasks(ServerCatalog catalog, ServerTasks serverTasks, BooleanSupplier isBusy, Runnable ping) {
        this.catalog = catalog;
        this.isBusy = isBusy;
        this.ping = ping;
        this.serverTasks = serverTasks;
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

    @Override
    public void lost(Connection connection, CallFailure failure) {
        serverTasks.connectionLost(connection, failure);
    }

    /// Notes a catalog reading; returns whether it was the first on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A busy server is checked at the next interval.
    @Override
    public void poll() {
        if (!isBusy.getAsBoolean()) {
            VirtualThreadStarter.start("fusebox-poll", ping, () -> {});
        }
    }

    @Override
    public boolean isReading() {
        return !catalog.isIdle();
    }
}
