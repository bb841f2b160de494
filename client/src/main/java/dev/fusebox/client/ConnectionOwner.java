package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// The owner of a connection that not all clients share: a principal, and the client session that has the
/// connection to itself. Immutable. Equal owners use the same connection, and no others do.
///
/// @param session of the client; the principal itself if all its clients share the connection
public record ConnectionOwner(Principal principal, Object session) {
    /// The owner of the connection that a client uses; null if that is the one for all clients of the gateway's
    /// owner.
    ///
    /// @param isIsolated whether each session has a connection of its own
    public static @Nullable ConnectionOwner of(ClientMetadata client, boolean isIsolated) {
        Principal principal = client.principal();
        ClientSession clientSession = isIsolated ? client.clientSession() : null;
        if (clientSession == null && principal.equals(Principal.OWNER)) {
            return null;
        }
        return new ConnectionOwner(principal, clientSession == null ? principal : clientSession);
    }

    /// The owner of the connection that a session has to itself.
    public static ConnectionOwner of(ClientSession clientSession) {
        return new ConnectionOwner(clientSession.principal(), clientSession);
    }

    /// The client session; null if all clients of the principal share the connection.
    public @Nullable ClientSession clientSession() {
        return session instanceof ClientSession clientSession ? clientSession : null;
    }

    // The generated methods of a record are linked at run time, which would make the start slower.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectionOwner owner
                && owner.principal.equals(principal)
                && owner.session.equals(session);
    }

    @Override
    public int hashCode() {
        return 31 * principal.hashCode() + session.hashCode();
    }
}
