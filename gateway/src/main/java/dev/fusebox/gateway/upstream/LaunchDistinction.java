package dev.fusebox.gateway.upstream;

import org.jspecify.annotations.Nullable;

/// How a server differs from others of its name that clients use. Immutable.
///
/// @param isOnePerFolder whether another one has only another folder, because the configuration names none
/// @param from the label of the first one; null if that is the server itself
/// @param difference from that one; null if that is the server itself
public record LaunchDistinction(
        boolean isOnePerFolder,
        @Nullable String from,
        @Nullable LaunchDifference difference) {
    /// Of a server that is the only one of its name.
    public static final LaunchDistinction NONE = new LaunchDistinction(false, null, null);
}
