package dev.fusebox.client.http;

import org.jspecify.annotations.Nullable;

/// Proxy and TLS trust for connections to one server, where they differ from the [OutboundSettings]. Immutable.
///
/// @param proxyRules null for those of the settings
/// @param tlsTrust null for that of the settings
public record OutboundRoute(
        @Nullable ProxyRules proxyRules, @Nullable TlsTrust tlsTrust) {
    public static final OutboundRoute DEFAULT = new OutboundRoute(null, null);

    /// The same with these proxies.
    public OutboundRoute through(ProxyRules other) {
        return new OutboundRoute(other, tlsTrust);
    }

    /// The same with this trust.
    public OutboundRoute trusting(TlsTrust other) {
        return new OutboundRoute(proxyRules, other);
    }
}
