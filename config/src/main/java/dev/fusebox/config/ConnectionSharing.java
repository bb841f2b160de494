package dev.fusebox.config;

/// How clients share the connections to a server. Immutable.
///
/// @param isolation who has one for itself
/// @param instances how many there may be for those who share, so that their calls are worked on side by side
public record ConnectionSharing(Isolation isolation, int instances) {
    /// One for all.
    public static final ConnectionSharing ONE = new ConnectionSharing(Isolation.SHARED, 1);

    /// For fronts whose clients all speak to one server.
    public static final ConnectionSharing BY_CALL = new ConnectionSharing(Isolation.CALL, 1);
}
