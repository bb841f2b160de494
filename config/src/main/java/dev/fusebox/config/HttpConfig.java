package dev.fusebox.config;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/// The front that clients reach over HTTP. Immutable.
///
/// @param host the address to listen on
/// @param port 0 for any free one
/// @param allowedOrigins web pages that may call, beside the gateway's own
/// @param allowsOtherUsers whether other users of this machine may connect
/// @param sessions how many there may be, and for how long
/// @param intake how much a client may send, and how fast
public record HttpConfig(
        InetAddress host,
        int port,
        Set<String> allowedOrigins,
        boolean allowsOtherUsers,
        SessionBounds sessions,
        Intake intake) {
    /// How much a client may send, and how fast. Immutable.
    ///
    /// @param maxBodyBytes of one request
    /// @param maxConnections at the same time
    /// @param headerTimeout for the head of a request
    public record Intake(int maxBodyBytes, int maxConnections, Duration headerTimeout) {}

    public HttpConfig {
        allowedOrigins = Set.copyOf(allowedOrigins);
    }
}
