package dev.fusebox.gateway.upstream;

import org.jspecify.annotations.Nullable;

/// How a server differs from the other servers of its name that clients use. Immutable.
///
/// @param isOnePerFolder whether another one differs only in its folder, because the configuration names none
/// @param first the label of the first one; null if that is the server itself
/// @param difference the difference from the first one; null if that is the server itself
public record SameNameServers(
        boolean isOnePerFolder,
        @Nullable String first,
        @Nullable LaunchDifference difference) {
    /// The value for the only server of its name.
    public static final SameNameServers NONE = new SameNameServers(false, null, null);
}
