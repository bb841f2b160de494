package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.protocol.Message;
import java.util.Set;

/// Who wants to hear what changes at a server. Nothing here may block.
interface News {
    /// What the server offers is not what it was.
    void changed(Member member);

    /// What it offers this client alone is not what it was, in these kinds.
    void changed(ClientMetadata client, Set<Kind> kinds);

    /// A resource that somebody watches has changed.
    void updated(Member member, Message.Notification notification);
}
