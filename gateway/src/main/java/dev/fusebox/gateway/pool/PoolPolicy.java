package dev.fusebox.gateway.pool;

import dev.fusebox.client.Connector;
import dev.fusebox.config.IdlePolicy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The use of a connection pool by one server. Immutable except for the pool.
///
/// @param pool null if there is none: connections are then opened on demand, and none is closed for others
public record PoolPolicy(@Nullable Pool pool, IdlePolicy idlePolicy) {
    /// The policy without a pool.
    public static final PoolPolicy FREE = new PoolPolicy(null, IdlePolicy.usual());

    /// A connector whose connections take a place in the pool, if there is one.
    ///
    /// @param borrowers supplies the borrower of the next connection
    public Connector behind(Connector connector, Supplier<Borrower> borrowers) {
        return pool == null ? connector : pool.pooled(connector, borrowers);
    }

    /// The same for connections whose borrower has no other properties.
    public Connector behind(Connector connector, String server) {
        return behind(connector, () -> new AnonymousBorrower(server, idlePolicy));
    }

    /// Whether a connection could be opened without closing another.
    public boolean hasRoom() {
        return pool == null || pool.hasRoom();
    }

    /// Notes that the work of a borrower is done for now.
    public void rested(Borrower borrower) {
        if (pool != null) {
            pool.rested(borrower);
        }
    }

    /// Cancels what a borrower waits for.
    public void dismiss(Borrower borrower) {
        if (pool != null) {
            pool.dismiss(borrower);
        }
    }

    /// A borrower with one connection; no two are equal.
    private static final class AnonymousBorrower implements Borrower {
        private final String server;
        private final IdlePolicy idlePolicy;

        AnonymousBorrower(String server, IdlePolicy idlePolicy) {
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
