package dev.fusebox.gateway.mcp;

import java.time.Duration;

/// What a session keeps to. Immutable.
///
/// @param server the server's name, for messages
/// @param timeout how long a call may take
/// @param clientWait how long the client may take to answer the server's questions during one call
/// @param connectTimeout how long a server may take to start and shake hands
public record SessionSettings(String server, Duration timeout, Duration clientWait, Duration connectTimeout) {
    public static SessionSettings of(String server) {
        return new SessionSettings(server, Duration.ofSeconds(60), Duration.ofSeconds(300), Duration.ofSeconds(60));
    }
}
