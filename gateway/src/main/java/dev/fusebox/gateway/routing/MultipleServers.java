package dev.fusebox.gateway.routing;

import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// The gateway service for several servers: every client gets a router over all of them. Immutable.
public record MultipleServers(UpstreamServers servers) implements GatewayService {
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
        return new Router(servers, false);
    }

    @Override
    public UpstreamEndpoint soleEndpoint(Platform platform, RandomGenerator secrets) {
        return new Router(servers, true);
    }

    @Override
    public ClientConversation clientConversation(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new GatewaySession(servers, new Router(servers, false), serverMessageHandler);
    }

    @Override
    public void close() {
        servers.close();
    }
}
