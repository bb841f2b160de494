package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.Message;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Listener of catalog and resource changes at servers. Implementations must not block.
public interface CatalogListener {
    /// The catalog of a server has changed.
    void changed();

    /// A server's catalog for one client has changed, in these kinds.
    void changed(ClientMetadata client, Set<CatalogKind> kinds);

    /// A subscribed resource of a server has changed.
    ///
    /// @param session that watches it in the process that has sent this; null for all others that watch it
    void updated(String server, @Nullable ClientSession session, Message.Notification notification);
}
