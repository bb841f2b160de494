package dev.fusebox.client.http;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Settings and limits of outbound connections. Immutable.
///
/// @param connectTimeout for the DNS lookup, connecting and the TLS handshake together
/// @param idle how long an unused connection is kept; shorter than usual on servers, so that they seldom close it
///     first
/// @param maxConnections number of connections at a time
/// @param maxHeadBytes of the head of one response
/// @param maxBodyBytes of one body or one event, both compressed and decompressed
/// @param proxyRules proxies for the servers
/// @param maxDepth a deeper nested body is not a message
/// @param tlsTrust null for the trust store of the JDK
public record OutboundSettings(
        Duration connectTimeout,
        Duration idle,
        int maxConnections,
        int maxHeadBytes,
        int maxBodyBytes,
        ProxyRules proxyRules,
        int maxDepth,
        @Nullable TlsTrust tlsTrust) {

    /// Defaults for most installations.
    public static OutboundSettings defaults() {
        return new OutboundSettings(
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                4_096,
                64 << 10,
                16 << 20,
                ProxyRules.NONE,
                JsonView.MAX_DEPTH,
                null);
    }

    public OutboundSettings withConnectTimeout(Duration other) {
        return new OutboundSettings(
                other, idle, maxConnections, maxHeadBytes, maxBodyBytes, proxyRules, maxDepth, tlsTrust);
    }

    public OutboundSettings withMaxBodyBytes(int other) {
        return new OutboundSettings(
                connectTimeout, idle, maxConnections, maxHeadBytes, other, proxyRules, maxDepth, tlsTrust);
    }

    public OutboundSettings withProxies(ProxyRules other) {
        return new OutboundSettings(
                connectTimeout, idle, maxConnections, maxHeadBytes, maxBodyBytes, other, maxDepth, tlsTrust);
    }

    public OutboundSettings withTrust(TlsTrust other) {
        return new OutboundSettings(
                connectTimeout, idle, maxConnections, maxHeadBytes, maxBodyBytes, proxyRules, maxDepth, other);
    }

    public OutboundSettings withMaxDepth(int other) {
        return new OutboundSettings(
                connectTimeout, idle, maxConnections, maxHeadBytes, maxBodyBytes, proxyRules, other, tlsTrust);
    }
}
