package dev.fusebox.gateway.upstream;

/// What makes a server the same in the views of several clients: all that its processes or requests depend on.
/// Implementations are immutable and compared by value.
public interface LaunchIdentity {
    /// Whether only the folder is different, which is that of the client because the configuration names none.
    boolean differsInClientFolder(LaunchIdentity other);
}
