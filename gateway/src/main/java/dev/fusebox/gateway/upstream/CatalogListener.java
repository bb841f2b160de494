package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.Message;
import java.util.Set;

/// Who wants to hear what changes at a server. Nothing here may block.
interface CatalogListener {
    /// What the server offers is not what it was.
    void changed(UpstreamServer server);

    /// What it offers this client alone is not what it was, in these kinds.
    void changed(ClientMetadata client, Set<CatalogKind> kinds);

    /// A resource that somebody watches has changed.
    void updated(UpstreamServer server, Message.Notification notification);
}
