package dev.fusebox.gateway.routing;

import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// The gateway service for several servers: every client gets a router over all of them. Immutable.
///
/// @param history of the only client that uses this service for longer than its connection lasts
public record MultipleServers(UpstreamServers servers, ClientHistory history) implements GatewayService {
    /// For clients without a history.
    public MultipleServers(UpstreamServers servers) {
        this(servers, ClientHistory.none());
    }

    @Override
    public SessionSettings settings() {
        return servers.parameters().settings();
    }

    @Override
    public SessionBounds bounds() {
        return servers.parameters().bounds();
    }

    @Override
    public UpstreamEndpoint endpoint(Platform platform, RandomGenerator secrets) {
        return new Router(servers, null);
    }

    @Override
    public UpstreamEndpoint soleEndpoint(Platform platform, RandomGenerator secrets) {
        return new Router(servers, history);
    }

    @Override
    public ClientConversation clientConversation(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new GatewaySession(servers, new Router(servers, null), history, serverMessageHandler);
    }

    @Override
    public void close() {
        servers.close();
    }
}
