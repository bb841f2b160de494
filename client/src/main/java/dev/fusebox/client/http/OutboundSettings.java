package dev.fusebox.client.http;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How connections are made and what may come over them. Immutable.
///
/// @param connectTimeout for looking up the name, connecting and the TLS handshake together
/// @param idle how long an unused line is kept; below what servers usually allow, so that they seldom end it first
/// @param maxLines how many lines there may be at once
/// @param maxHeadBytes of the head of one answer
/// @param maxBodyBytes of one body or one event, as it comes and as it is unpacked
/// @param proxyRules which proxy leads to which server
/// @param maxDepth what is nested deeper is no message
/// @param tlsTrust whom to trust; null for whom the JDK trusts
public record OutboundSettings(
        Duration connectTimeout,
        Duration idle,
        int maxLines,
        int maxHeadBytes,
        int maxBodyBytes,
        ProxyRules proxyRules,
        int maxDepth,
        @Nullable TlsTrust tlsTrust) {

    /// What is meant to fit everybody.
    public static OutboundSettings usual() {
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

    /// The same with another time to connect.
    public OutboundSettings withConnectTimeout(Duration other) {
        return new OutboundSettings(other, idle, maxLines, maxHeadBytes, maxBodyBytes, proxyRules, maxDepth, tlsTrust);
    }

    /// The same with another limit for bodies.
    public OutboundSettings withMaxBodyBytes(int other) {
        return new OutboundSettings(
                connectTimeout, idle, maxLines, maxHeadBytes, other, proxyRules, maxDepth, tlsTrust);
    }

    /// The same through proxies.
    public OutboundSettings withProxies(ProxyRules other) {
        return new OutboundSettings(
                connectTimeout, idle, maxLines, maxHeadBytes, maxBodyBytes, other, maxDepth, tlsTrust);
    }

    /// The same with other people to trust.
    public OutboundSettings withTrust(TlsTrust other) {
        return new OutboundSettings(
                connectTimeout, idle, maxLines, maxHeadBytes, maxBodyBytes, proxyRules, maxDepth, other);
    }

    /// The same with another limit for nesting.
    public OutboundSettings withMaxDepth(int other) {
        return new OutboundSettings(
                connectTimeout, idle, maxLines, maxHeadBytes, maxBodyBytes, proxyRules, other, tlsTrust);
    }
}
