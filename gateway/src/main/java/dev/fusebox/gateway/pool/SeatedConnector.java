package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens connections that have a seat in a pool. Thread-safe; [#open] blocks until there is one, for as long as
/// the pool lets anybody wait.
///
/// @param tenants for whom the next connection is
/// @param urgency how much depends on it
record SeatedConnector(Pool pool, Connector connector, Supplier<Tenant> tenants, Urgency urgency) implements Connector {
    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        Tenant tenant = tenants.get();
        Pool.Entry entry = pool.enter(tenant, urgency);
        if (entry instanceof Pool.Entry.Given(Seat seat)) {
            return open(new SeatedConnection(pool, seat, serverMessageHandler), seat);
        }
        return new Opened.Refused(((Pool.Entry.Refused) entry).failure());
    }

    /// The seat is free again whatever goes wrong.
    private Opened open(SeatedConnection mine, Seat seat) {
        boolean isOpen = false;
        try {
            pool.opened(seat, mine);
            Opened opened = connector.open(mine);
            if (opened instanceof Opened.Connected(Connection connection)) {
                isOpen = true;
                mine.attach(connection);
                return new Opened.Connected(mine);
            }
            return opened;
        } finally {
            if (!isOpen) {
                pool.free(seat);
            }
        }
    }

    @Override
    public Connector spare() {
        return new SeatedConnector(pool, connector.spare(), tenants, Urgency.SPARE);
    }

    @Override
    public Connector owned(Object session) {
        Tenant owner = new SessionTenant(tenants.get(), session);
        return new SeatedConnector(pool, connector.owned(session), () -> owner, urgency);
    }

    @Override
    public Duration turn() {
        return connector.turn().plus(pool.patience());
    }

    @Override
    public @Nullable CallFailure refusal() {
        return connector.refusal();
    }
}
