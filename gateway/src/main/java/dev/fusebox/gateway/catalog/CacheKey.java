package dev.fusebox.gateway.catalog;

import dev.fusebox.client.Principal;
import java.util.function.Supplier;

/// The key of a server in the catalog cache. Immutable.
///
/// @param server configuration that identifies the server and how it is reached; empty if the server is not
///     cached
/// @param principal on whose behalf the catalog is read
/// @param launch supplier of a checksum of the files that the server is launched with, computed at each call;
///     blocks on disk reads; empty if there are no such files
public record CacheKey(String server, Principal principal, Supplier<String> launch) {
    /// The key of a server that is not cached.
    public static final CacheKey NONE = of("");

    /// A key of the gateway's owner without a launch checksum.
    public static CacheKey of(String server) {
        return new CacheKey(server, Principal.OWNER, () -> "");
    }

    /// The name of the entry, different for each server and principal; empty if the server is not cached.
    public String identity() {
        return server.isEmpty() || principal.equals(Principal.OWNER) ? server : server + "\n" + principal.id();
    }
}
