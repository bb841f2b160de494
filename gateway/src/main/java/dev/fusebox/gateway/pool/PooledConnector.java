package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A connector whose connections take a slot in a pool. Thread-safe; [#open] blocks until there is one, at most
/// for the pool's longest wait.
///
/// @param borrowers supplies the borrower of the next connection
/// @param priority whether another connection would do as well
record PooledConnector(Pool pool, Connector connector, Supplier<Borrower> borrowers, Priority priority)
        implements Connector {
    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        Borrower borrower = borrowers.get();
        Pool.Entry entry = pool.enter(borrower, priority);
        if (entry instanceof Pool.Entry.Granted(PoolSlot slot)) {
            return open(new PooledConnection(pool, slot, serverMessageHandler), slot);
        }
        return new Opened.Refused(((Pool.Entry.Refused) entry).failure());
    }

    /// Frees the slot on every failure.
    private Opened open(PooledConnection mine, PoolSlot slot) {
        boolean isOpen = false;
        try {
            pool.opened(slot, mine);
            Opened opened = connector.open(mine);
            if (opened instanceof Opened.Connected(Connection connection)) {
                isOpen = true;
                mine.attach(connection);
                return new Opened.Connected(mine);
            }
            return opened;
        } finally {
            if (!isOpen) {
                pool.free(slot);
            }
        }
    }

    @Override
    public Connector spare() {
        return new PooledConnector(pool, connector.spare(), borrowers, Priority.SPARE);
    }

    @Override
    public Connector owned(ConnectionOwner owner) {
        Borrower borrower = new OwningBorrower(borrowers.get(), owner);
        return new PooledConnector(pool, connector.owned(owner), () -> borrower, priority);
    }

    @Override
    public Duration turn() {
        return connector.turn().plus(pool.deadline());
    }

    @Override
    public @Nullable CallFailure refusal() {
        return connector.refusal();
    }
}
