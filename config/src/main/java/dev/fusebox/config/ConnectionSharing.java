package dev.fusebox.config;

/// How clients share the connections to a server. Immutable.
///
/// @param isolation which clients have a connection of their own
/// @param instances the number of shared connections, for concurrent calls
public record ConnectionSharing(Isolation isolation, int instances) {
    /// One for all.
    public static final ConnectionSharing ONE = new ConnectionSharing(Isolation.SHARED, 1);

    /// For front ends with a single server.
    public static final ConnectionSharing BY_CALL = new ConnectionSharing(Isolation.CALL, 1);
}
