package dev.fusebox.client;

/// Opens a wire to a server. Thread-safe.
@FunctionalInterface
public interface Connector {
    /// Opens a wire and lets the listener hear what comes from it. Blocks for a short, bounded time.
    Opened open(WireListener listener);

    /// How that went. Immutable.
    sealed interface Opened {
        /// There is a wire.
        record Wired(Wire wire) implements Opened {}

        /// There is none.
        record Refused(Fault fault) implements Opened {}
    }
}
