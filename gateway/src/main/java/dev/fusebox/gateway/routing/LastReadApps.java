package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The server whose app each client session has read last. Clients without a session cannot be told apart, and have
/// none. Thread-safe; nothing blocks.
final class LastReadApps {
    private final Map<ClientSession, String> servers = new ConcurrentHashMap<>();

    /// Notes that a client has read an app of this server.
    void noteRead(ClientMetadata client, String server) {
        ClientSession session = client.clientSession();
        if (session == null) {
            return;
        }
        servers.put(session, server);
        // A session that ends is marked first: one of the two sees the other.
        if (!session.isHere()) {
            left(session);
        }
    }

    /// The server whose app the client has read last; null if that is unknown.
    @Nullable
    String of(ClientMetadata client) {
        ClientSession session = client.clientSession();
        return session == null ? null : servers.get(session);
    }

    void left(ClientSession session) {
        servers.remove(session);
    }
}
