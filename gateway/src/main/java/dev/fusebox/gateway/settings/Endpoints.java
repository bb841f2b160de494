package dev.fusebox.gateway.settings;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.TlsTrust;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.LimitConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.protocol.http.HttpProxy;

/// Child processes and HTTP targets, and the secrets that no message may show. Pure functions; thread-safe.
public final class Endpoints {
    private Endpoints() {}

    /// The child process of a server.
    public static ChildSpec childSpec(ServerEndpoint.Stdio process, LimitConfig limits) {
        ChildLimits childLimits = ChildLimits.defaults()
                .withFrameBytes(limits.frameBytes())
                .withStuckWrite(limits.stuckWrite())
                .withMaxDepth(limits.depth());
        return new ChildSpec(
                process.command(),
                process.args(),
                process.env(),
                process.inheritEnv(),
                process.cwd(),
                childLimits,
                Redactor.of(process.secrets()),
                null);
    }

    /// The target of requests to a remote server.
    public static HttpTarget target(ServerEndpoint.Remote remote) {
        return new HttpTarget(remote.uri(), remote.headers(), false, route(remote), Redactor.of(remote.secrets()));
    }

    private static OutboundRoute route(ServerEndpoint.Remote remote) {
        OutboundRoute route = OutboundRoute.DEFAULT;
        ServerEndpoint.Proxy proxy = remote.proxy();
        if (proxy != null) {
            HttpProxy address = proxy.address();
            route = route.through(address == null ? ProxyRules.NONE : ProxyRules.always(address));
        }
        return remote.authorities().isEmpty() ? route : route.trusting(TlsTrust.of(remote.authorities()));
    }

    /// The secrets of a server.
    public static Redactor secrets(ServerEndpoint endpoint) {
        return switch (endpoint) {
            case ServerEndpoint.Stdio process -> Redactor.of(process.secrets());
            case ServerEndpoint.Http(var remote) -> target(remote).secrets();
            case ServerEndpoint.Sse(var remote) -> target(remote).secrets();
        };
    }

    /// The secrets of all servers.
    public static Redactor secrets(Configuration configuration) {
        Redactor all = Redactor.NONE;
        for (ServerConfig server : configuration.servers()) {
            if (server.state() instanceof Ready(ServerEndpoint endpoint)) {
                all = all.and(secrets(endpoint));
            }
        }
        return all;
    }
}
