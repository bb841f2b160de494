package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Liveness;

/// A server as clients of the stateless era see it, whatever its own era. Thread-safe; [#call] blocks, as long as
/// the caller has patience, and [#pulse] as long as it is told.
public interface UpstreamEndpoint extends Liveness, AutoCloseable {
    /// Makes the call; the answer is in the words of the client's era.
    Outcome call(Call call, ClientMetadata client);

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
