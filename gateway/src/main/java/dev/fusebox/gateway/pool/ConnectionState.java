package dev.fusebox.gateway.pool;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// How one connection is, and what may come after it. A server without a connection has no such state.
public enum ConnectionState {
    /// On the way to it, until hands are shaken.
    CONNECTING,
    /// Open and unused.
    IDLE,
    /// Calls are under way on it.
    ACTIVE,
    /// Lost.
    FAILED,
    /// Over. Another process is another connection.
    CLOSED;

    private static final Map<ConnectionState, Set<ConnectionState>> NEXT = new EnumMap<>(Map.of(
            CONNECTING, EnumSet.of(ACTIVE, IDLE, FAILED, CLOSED),
            IDLE, EnumSet.of(CONNECTING, ACTIVE, CLOSED),
            ACTIVE, EnumSet.of(IDLE, FAILED, CLOSED),
            FAILED, EnumSet.of(CONNECTING, CLOSED),
            CLOSED, EnumSet.noneOf(ConnectionState.class)));

    /// Whether this may follow.
    public boolean mayBecome(ConnectionState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /// The spelling on the wire: `active`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
