package dev.fusebox.gateway.catalog;

import java.util.function.Supplier;

/// The key of a server in the catalog cache. Immutable.
///
/// @param identity configuration that identifies the server and how it is reached; empty if the server is not
///     cached
/// @param launch supplier of a checksum of the files that the server is launched with, computed at each call;
///     blocks on disk reads; empty if there are no such files
public record CacheKey(String identity, Supplier<String> launch) {
    /// The key of a server that is not cached.
    public static final CacheKey NONE = of("");

    /// A key without a launch checksum.
    public static CacheKey of(String identity) {
        return new CacheKey(identity, () -> "");
    }
}
