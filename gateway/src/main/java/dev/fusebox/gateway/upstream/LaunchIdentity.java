package dev.fusebox.gateway.upstream;

/// What makes a server the same in the views of several clients: all that its processes or requests depend on.
/// Implementations are immutable and compared by value.
public interface LaunchIdentity {
    /// What differs from the other one, without values.
    LaunchDifference differenceFrom(LaunchIdentity other);
}
