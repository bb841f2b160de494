package dev.fusebox.gateway.era;

import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// The service behind the front ends: one server unchanged, or all servers as one. Thread-safe; nothing blocks.
public interface GatewayService extends AutoCloseable {
    /// The settings of client sessions.
    SessionSettings settings();

    /// The bounds on number and duration of sessions over HTTP.
    SessionBounds bounds();

    /// Creates the endpoint for modern clients. The caller closes it.
    ///
    /// @param secrets source of the resume tokens of suspended calls
    UpstreamEndpoint endpoint(Platform platform, RandomGenerator secrets);

    /// Creates the endpoint for the only client of a front end.
    default UpstreamEndpoint soleEndpoint(Platform platform, RandomGenerator secrets) {
        return endpoint(platform, secrets);
    }

    /// Creates the session of one legacy client. The caller closes it.
    ///
    /// @param serverMessageHandler receives messages that belong to no call
    ClientConversation clientConversation(Platform platform, ServerMessageHandler serverMessageHandler);

    /// Closes what belongs to no front end.
    @Override
    void close();
}
