package dev.fusebox.gateway.upstream;

import org.jspecify.annotations.Nullable;

/// The other servers of the same name that clients use, as far as a report of one of them says. Immutable.
///
/// @param isOnePerFolder whether another one has only another folder, because the configuration names none
/// @param from the label of the first one; null if that is the server itself
/// @param difference from that one; null if that is the server itself
public record SameNameServers(
        boolean isOnePerFolder,
        @Nullable String from,
        @Nullable LaunchDifference difference) {
    /// Of a server that is the only one of its name.
    public static final SameNameServers NONE = new SameNameServers(false, null, null);
}
