package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// What one client of the session era talks to. Thread-safe; [#greet] and [#call] block.
public interface ClientConversation {
    /// Makes the client's handshake.
    Outcome greet(Call initialize);

    /// Notes which revision the client's handshake led to.
    void agreed(Message.Request initialize, @Nullable String revision);

    /// Makes a call of the client.
    Outcome call(Call call);

    /// Takes what the client tells.
    void tell(Message.Notification notification);

    /// Ends what belongs to this client, but not for good: the next call begins anew.
    void disconnect();

    /// Ends what belongs to this client for good.
    void close();
}
