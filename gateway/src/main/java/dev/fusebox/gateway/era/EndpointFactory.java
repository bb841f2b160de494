package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Connector;
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
        ConnectionOwner owner = owner(as, client);
        boolean isOfSession = owner != null && owner.clientSession() != null;
        return open.add(new LegacyEndpoint(platform, ownedBy(owner, as), secrets, isOfSession ? client : null));
    }

    ModernEndpoint stateless(FrontTarget as, @Nullable ClientMetadata client) {
        ConnectionOwner owner = owner(as, client);
        FrontTarget target = ownedBy(owner, as);
        if (owner == null || owner.clientSession() == null) {
            return open.add(
                    new ModernEndpoint(platform, serverMessageHandler -> target.plain(platform, serverMessageHandler)));
        }
        StateLoss loss =
                new StateLoss(as.settings().server(), as.connectionGovernor().listener(), owner.clientSession());
        FrontTarget own = loss.over(target);
        return open.add(
                new ModernEndpoint(platform, serverMessageHandler -> own.plain(platform, serverMessageHandler), loss));
    }

    /// The owner of the endpoint; null if many share it.
    private static @Nullable ConnectionOwner owner(FrontTarget as, @Nullable ClientMetadata client) {
        boolean isIsolated = as.connectionGovernor().connectionSharing().isBySession();
        return client == null ? null : ConnectionOwner.of(client, isIsolated);
    }

    private static FrontTarget ownedBy(@Nullable ConnectionOwner owner, FrontTarget as) {
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
