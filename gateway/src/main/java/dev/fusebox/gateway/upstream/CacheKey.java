package dev.fusebox.gateway.upstream;

import java.util.function.Supplier;

/// What the cache knows a server by. Immutable.
///
/// @param identity who it is and how it is reached; empty if nothing is kept of it
/// @param launch a checksum of what it is launched with, such as its files, at the moment of the call; blocks as
/// the
///     disk does; empty if there is none
public record CacheKey(String identity, Supplier<String> launch) {
    /// Of a server that is not cached.
    public static final CacheKey NONE = of("");

    /// Of one whose launch is not looked at.
    public static CacheKey of(String identity) {
        return new CacheKey(identity, () -> "");
    }
}
