package dev.fusebox.config;

/// How clients share the connections to a server. Immutable.
///
/// @param isolation which clients have their own
/// @param instances the maximum number of shared connections, on which calls run concurrently
public record ConnectionSharing(Isolation isolation, int instances) {
    /// One connection for all clients.
    public static final ConnectionSharing ONE = new ConnectionSharing(Isolation.SHARED, 1);

    /// Whether sessions, or groups of them, have connections of their own.
    public boolean isBySession() {
        return isolation == Isolation.SESSION || isolation == Isolation.ADAPTIVE;
    }

    /// For front ends whose clients all use one server.
    public static final ConnectionSharing BY_CALL = new ConnectionSharing(Isolation.CALL, 1);
}
