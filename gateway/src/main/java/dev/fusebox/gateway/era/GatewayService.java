package dev.fusebox.gateway.era;

import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// What is behind the fronts: one server as it is, or many as one. Thread-safe; nothing blocks.
public interface GatewayService extends AutoCloseable {
    /// What a client's conversation keeps to.
    SessionSettings settings();

    /// How many sessions there may be over HTTP, and for how long.
    SessionBounds bounds();

    /// For clients of the stateless era. Whoever gets it closes it.
    ///
    /// @param secrets makes the tickets of calls that wait for their client
    UpstreamEndpoint endpoint(Platform platform, RandomGenerator secrets);

    /// The same for the only client of a front.
    default UpstreamEndpoint soleEndpoint(Platform platform, RandomGenerator secrets) {
        return endpoint(platform, secrets);
    }

    /// For one client of the session era. Whoever gets it closes it.
    ///
    /// @param serverMessageHandler hears what belongs to no call
    ClientConversation clientConversation(Platform platform, ServerMessageHandler serverMessageHandler);

    /// Ends what belongs to no front.
    @Override
    void close();
}
