package dev.fusebox.client.http;

import org.jspecify.annotations.Nullable;

/// How the lines to one server are laid, where that differs from the usual. Immutable.
///
/// @param proxyRules which proxy to go through; null for the usual
/// @param tlsTrust whom to trust; null for the usual
public record OutboundRoute(
        @Nullable ProxyRules proxyRules, @Nullable TlsTrust tlsTrust) {
    public static final OutboundRoute USUAL = new OutboundRoute(null, null);

    /// The same through these proxies.
    public OutboundRoute through(ProxyRules other) {
        return new OutboundRoute(other, tlsTrust);
    }

    /// The same with other people to trust.
    public OutboundRoute trusting(TlsTrust other) {
        return new OutboundRoute(proxyRules, other);
    }
}
