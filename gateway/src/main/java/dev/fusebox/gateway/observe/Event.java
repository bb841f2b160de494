package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// An event that is published to logs, event streams and traces. Immutable.
public interface Event {
    /// The public event type, for example `circuit.state_change`.
    String type();

    /// The server that the event concerns; null if it concerns none.
    @Nullable
    String server();

    /// Writes the payload beside type, time and server, as members of the open object.
    void describe(JsonWriter into);
}
