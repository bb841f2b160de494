package dev.fusebox.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Factory of connections to one server. Thread-safe; only [#open] blocks.
@FunctionalInterface
public interface Connector {
    /// Opens a connection and attaches the handler of its messages. Blocks for a short, bounded time.
    Opened open(ServerMessageHandler serverMessageHandler);

    /// The longest time that [#open] waits for its turn before it begins.
    default Duration turn() {
        return Duration.ZERO;
    }

    /// The same connector for a connection that is not urgent: it is rejected where it would have to wait for
    /// others.
    default Connector spare() {
        return this;
    }

    /// The same connector for connections of one owner, whose state the process may hold.
    default Connector owned(ConnectionOwner owner) {
        return this;
    }

    /// Why nothing may be sent to the server now, on any connection; null if it may. Does not block.
    default @Nullable CallFailure refusal() {
        return null;
    }

    /// Result of opening a connection. Immutable.
    sealed interface Opened {
        /// The connection is open.
        record Connected(Connection connection) implements Opened {}

        /// The connection could not be opened.
        record Refused(CallFailure failure) implements Opened {}
    }
}
