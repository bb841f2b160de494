package dev.fusebox.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Opens connections to a server. Thread-safe.
@FunctionalInterface
public interface Connector {
    /// Opens a connection and lets the peer hear what comes from it. Blocks for a short, bounded time.
    Opened open(ServerMessageHandler serverMessageHandler);

    /// How long at most [#open] waits for its turn, before it begins.
    default Duration turn() {
        return Duration.ZERO;
    }

    /// The same way for whoever can do without: it is refused where it would have to wait for others to leave.
    default Connector spare() {
        return this;
    }

    /// The same connector for a connection that belongs to one client session, whose state the process may hold.
    ///
    /// @param session whose it is; equal for all connections of one session
    default Connector owned(Object session) {
        return this;
    }

    /// Why nothing may be sent to the server for now, on whatever connection; null if it may. Does not block.
    default @Nullable CallFailure refusal() {
        return null;
    }

    /// How that went. Immutable.
    sealed interface Opened {
        /// There is a connection.
        record Connected(Connection connection) implements Opened {}

        /// There is none.
        record Refused(CallFailure failure) implements Opened {}
    }
}
