package dev.fusebox.gateway.pool;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The states of one connection, and the allowed transitions. A server without a connection has no such state.
public enum ConnectionState {
    /// Being opened, until the handshake is complete.
    CONNECTING,
    /// Open and unused.
    IDLE,
    /// In use by calls.
    ACTIVE,
    /// Lost.
    FAILED,
    /// Closed for good. A new process is a new connection.
    CLOSED;

    private static final Map<ConnectionState, Set<ConnectionState>> NEXT = new EnumMap<>(Map.of(
            CONNECTING, EnumSet.of(ACTIVE, IDLE, FAILED, CLOSED),
            IDLE, EnumSet.of(CONNECTING, ACTIVE, CLOSED),
            ACTIVE, EnumSet.of(IDLE, FAILED, CLOSED),
            FAILED, EnumSet.of(CONNECTING, CLOSED),
            CLOSED, EnumSet.noneOf(ConnectionState.class)));

    /// Whether this transition is allowed.
    public boolean canBecome(ConnectionState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /// The spelling on the wire: `active`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
