package dev.fusebox.client.http;

import org.jspecify.annotations.Nullable;

/// How the lines to one server are laid, where that differs from the usual. Immutable.
///
/// @param proxies which proxy to go through; null for the usual
/// @param trust whom to trust; null for the usual
public record Route(@Nullable Proxies proxies, @Nullable Trust trust) {
    public static final Route USUAL = new Route(null, null);

    /// The same through these proxies.
    public Route through(Proxies other) {
        return new Route(other, trust);
    }

    /// The same with other people to trust.
    public Route trusting(Trust other) {
        return new Route(proxies, other);
    }
}
