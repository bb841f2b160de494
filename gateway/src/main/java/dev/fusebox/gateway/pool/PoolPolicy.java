package dev.fusebox.gateway.pool;

import dev.fusebox.client.Connector;
import dev.fusebox.config.IdlePolicy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where a server's connections have their seats, and for how long. Immutable but for the pool.
///
/// @param pool null if there is none: then connections are opened as they are needed, and none is closed for
/// others
public record PoolPolicy(@Nullable Pool pool, IdlePolicy idlePolicy) {
    /// Without bounds.
    public static final PoolPolicy FREE = new PoolPolicy(null, IdlePolicy.usual());

    /// The same way to the server, with seats.
    ///
    /// @param borrowers for whom the next connection is
    public Connector behind(Connector connector, Supplier<Borrower> borrowers) {
        return pool == null ? connector : pool.seated(connector, borrowers);
    }

    /// The same for tenants of whom nothing is known but their connections.
    public Connector behind(Connector connector, String server) {
        return behind(connector, () -> new Stranger(server, idlePolicy));
    }

    /// Whether a connection could be opened without another one making room for it.
    public boolean hasRoom() {
        return pool == null || pool.hasRoom();
    }

    /// The work of a tenant is done for now.
    public void rested(Borrower borrower) {
        if (pool != null) {
            pool.rested(borrower);
        }
    }

    /// A tenant wants nothing any more.
    public void dismiss(Borrower borrower) {
        if (pool != null) {
            pool.dismiss(borrower);
        }
    }

    /// A tenant with one connection; no two are equal.
    private static final class Stranger implements Borrower {
        private final String server;
        private final IdlePolicy idlePolicy;

        Stranger(String server, IdlePolicy idlePolicy) {
            this.server = server;
            this.idlePolicy = idlePolicy;
        }

        @Override
        public String server() {
            return server;
        }

        @Override
        public IdlePolicy idlePolicy() {
            return idlePolicy;
        }

        @Override
        public boolean isWanted() {
            return false;
        }

        @Override
        public Object client() {
            return this;
        }
    }
}
