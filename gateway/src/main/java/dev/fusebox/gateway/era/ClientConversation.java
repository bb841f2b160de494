package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The session of one legacy client. Thread-safe; [#initialize] and [#call] block.
public interface ClientConversation {
    /// Answers the client's handshake.
    Outcome initialize(Call initialize);

    /// Notes the revision that the client's handshake has negotiated.
    void initialized(Message.Request initialize, @Nullable String revision);

    /// Makes a call of the client.
    Outcome call(Call call);

    /// Handles a notification of the client.
    void onClientNotification(Message.Notification notification);

    /// Closes the client's own connections, but not for good: the next call opens new ones.
    void disconnect();

    /// Closes the session for good.
    void close();

    /// Whether a server process holds state of this client only. Does not block.
    default boolean holdsState() {
        return false;
    }
}
