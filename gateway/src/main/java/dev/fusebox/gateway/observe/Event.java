package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// Something that happened and that people or programs may want to hear of. Immutable.
public interface Event {
    /// What it is called outside: `circuit.state_change`.
    String type();

    /// The server that it is about; null if it is about none.
    @Nullable
    String server();

    /// Writes what is to be said beside type, time and server, as members of an object that is open.
    void describe(JsonWriter into);
}
