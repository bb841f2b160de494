package dev.fusebox.gateway.stateless;

import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.gateway.served.SessionBounds;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// What is behind the fronts: one server as it is, or many as one. Thread-safe; nothing blocks.
public interface Service extends AutoCloseable {
    /// What a client's conversation keeps to.
    SessionSettings settings();

    /// How many sessions there may be over HTTP, and for how long.
    SessionBounds bounds();

    /// For clients of the stateless era. Whoever gets it closes it.
    ///
    /// @param secrets makes the tickets of calls that wait for their client
    Target target(Platform platform, RandomGenerator secrets);

    /// The same for the only client of a front.
    default Target soleTarget(Platform platform, RandomGenerator secrets) {
        return target(platform, secrets);
    }

    /// For one client of the session era. Whoever gets it closes it.
    ///
    /// @param serverMessageHandler hears what belongs to no call
    Conversation conversation(Platform platform, ServerMessageHandler serverMessageHandler);

    /// Ends what belongs to no front.
    @Override
    void close();
}
