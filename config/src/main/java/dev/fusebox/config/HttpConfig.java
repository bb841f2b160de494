package dev.fusebox.config;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/// The settings of the HTTP front end. Immutable.
///
/// @param host the address to listen on
/// @param port 0 for any free one
/// @param allowedOrigins origins of web pages that may call, in addition to the gateway's own
/// @param allowsOtherUsers whether other users of this machine may connect
/// @param needsToken whether clients need the token of this user
/// @param sessions the limits on sessions
/// @param intake the limits on what a client sends
public record HttpConfig(
        InetAddress host,
        int port,
        Set<String> allowedOrigins,
        boolean allowsOtherUsers,
        boolean needsToken,
        SessionBounds sessions,
        Intake intake) {
    /// The limits on what a client sends. Immutable.
    ///
    /// @param maxBodyBytes of one request
    /// @param maxConnections at the same time
    /// @param headerTimeout for the head of a request
    public record Intake(int maxBodyBytes, int maxConnections, Duration headerTimeout) {}

    public HttpConfig {
        allowedOrigins = Set.copyOf(allowedOrigins);
    }
}
