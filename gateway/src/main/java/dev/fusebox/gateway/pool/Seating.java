package dev.fusebox.gateway.pool;

import dev.fusebox.client.Connector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where a server's connections have their seats, and for how long. Immutable but for the pool.
///
/// @param pool null if there is none: then connections are opened as they are needed, and none is closed for others
public record Seating(@Nullable Pool pool, Stay stay) {
    /// Without bounds.
    public static final Seating FREE = new Seating(null, Stay.usual());

    /// The same way to the server, with seats.
    ///
    /// @param tenants for whom the next connection is
    public Connector behind(Connector connector, Supplier<Tenant> tenants) {
        return pool == null ? connector : pool.seated(connector, tenants);
    }

    /// The same for tenants of whom nothing is known but their connections.
    public Connector behind(Connector connector, String server) {
        return behind(connector, () -> new Stranger(server, stay));
    }

    /// Whether a connection could be opened without another one making room for it.
    public boolean hasRoom() {
        return pool == null || pool.hasRoom();
    }

    /// The work of a tenant is done for now.
    public void rested(Tenant tenant) {
        if (pool != null) {
            pool.rested(tenant);
        }
    }

    /// A tenant wants nothing any more.
    public void dismiss(Tenant tenant) {
        if (pool != null) {
            pool.dismiss(tenant);
        }
    }

    /// A tenant with one connection; no two are equal.
    private static final class Stranger implements Tenant {
        private final String server;
        private final Stay stay;

        Stranger(String server, Stay stay) {
            this.server = server;
            this.stay = stay;
        }

        @Override
        public String server() {
            return server;
        }

        @Override
        public Stay stay() {
            return stay;
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
