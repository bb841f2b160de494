package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connector;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A factory of endpoints for one server. Thread-safe; nothing blocks.
///
/// @param secrets source of the resume tokens of suspended calls
/// @param open all endpoints that were created and not ended
record EndpointFactory(Platform platform, FrontTarget frontTarget, RandomGenerator secrets, OpenEndpoints open) {
    LegacyEndpoint session(FrontTarget as, @Nullable ClientMetadata client) {
        ClientSession owner = owner(as, client);
        return open.add(new LegacyEndpoint(platform, ownedBy(owner, as), secrets, owner == null ? null : client));
    }

    ModernEndpoint stateless(FrontTarget as, @Nullable ClientMetadata client) {
        ClientSession owner = owner(as, client);
        if (owner == null) {
            return open.add(
                    new ModernEndpoint(platform, serverMessageHandler -> as.plain(platform, serverMessageHandler)));
        }
        StateLoss loss =
                new StateLoss(as.settings().server(), as.connectionGovernor().listener());
        FrontTarget own = loss.over(ownedBy(owner, as));
        return open.add(
                new ModernEndpoint(platform, serverMessageHandler -> own.plain(platform, serverMessageHandler), loss));
    }

    /// The session that the endpoint belongs to; null if many share it.
    private static @Nullable ClientSession owner(FrontTarget as, @Nullable ClientMetadata client) {
        boolean isApart = as.connectionGovernor().connectionSharing().isolation() == Isolation.SESSION;
        return client == null || !isApart ? null : client.clientSession();
    }

    private static FrontTarget ownedBy(@Nullable ClientSession owner, FrontTarget as) {
        return owner == null ? as : as.behind(connector -> connector.owned(owner));
    }

    /// Ends an endpoint that is not used any more.
    void end(UpstreamEndpoint endpoint) {
        open.end(endpoint);
    }

    /// A factory for a server whose era is known.
    ///
    /// @param isProven whether the server has shown its era itself; false if it is only configured
    ConnectionSet.Factory knowing(boolean isStateless, boolean isProven) {
        return new ConnectionSet.Factory() {
            @Override
            public UpstreamEndpoint create(@Nullable ClientMetadata owner, boolean isSpare) {
                FrontTarget as = isSpare ? frontTarget.behind(Connector::spare) : frontTarget;
                if (!isStateless) {
                    return session(as, owner);
                }
                return isProven ? stateless(as, owner).opening() : stateless(as, owner);
            }

            @Override
            public void end(UpstreamEndpoint endpoint) {
                open.end(endpoint);
            }
        };
    }
}
