package dev.fusebox.client.resilience;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;

/// A server, or the part of the gateway that represents one. Thread-safe; blocks at most until the deadline of the
/// call.
@FunctionalInterface
public interface Endpoint {
    /// Makes the call once, over a connection that is opened if there is none.
    Outcome call(Call call);
}
