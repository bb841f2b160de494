package dev.fusebox.config;

import java.time.Duration;

/// The timeouts of one server. Immutable.
///
/// @param call a call, once there is a connection
/// @param connect from the start to the end of the handshake
/// @param tcpConnect a TCP connect within that
public record ServerTimeouts(Duration call, Duration connect, Duration tcpConnect) {}
