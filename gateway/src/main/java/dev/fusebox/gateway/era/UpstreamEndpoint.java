package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.client.resilience.Liveness;

/// A server of either era, for clients of either era. Thread-safe; [#call] blocks at most until the deadline of
/// the call, and [#pulse] for its limit.
public interface UpstreamEndpoint extends Endpoint, Liveness, AutoCloseable {
    /// Makes the call; the answer is in the words of the client's era.
    @Override
    Outcome call(Call call);

    /// Passes a notification of the only client on to the server. What many clients tell nobody passes on.
    default void tell(byte[] notification) {}

    /// The only client wants log lines from another level on; blocks for nothing.
    default void levelChanged() {}

    /// Ends the connection that there is, even if hands are still being shaken on it; the next call opens another.
    default void startOver() {
        disconnect();
    }

    @Override
    void close();
}
