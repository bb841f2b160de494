package dev.fusebox.gateway.served;

/// How clients share the connections to a server. Immutable.
///
/// @param isolation who has one for itself
/// @param instances how many there may be for those who share, so that their calls are worked on side by side
public record Sharing(Isolation isolation, int instances) {
    /// One for all.
    public static final Sharing ONE = new Sharing(Isolation.SHARED, 1);

    /// For fronts whose clients all speak to one server.
    public static final Sharing BY_CALL = new Sharing(Isolation.CALL, 1);
}
