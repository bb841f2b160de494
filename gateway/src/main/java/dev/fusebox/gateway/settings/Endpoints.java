package dev.fusebox.gateway.settings;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.TlsTrust;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.stream.StreamLimits;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.LimitConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.protocol.http.HttpProxy;
import java.util.Map;

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

    /// The target of the upgrade requests to a server.
    public static HttpTarget target(ServerEndpoint.WebSocket webSocket) {
        ServerEndpoint.Remote remote = webSocket.remote();
        return new HttpTarget(webSocket.uri(), remote.headers(), false, route(remote), Redactor.of(remote.secrets()));
    }

    /// The target of connections over TCP, which no proxy forwards.
    public static HttpTarget target(ServerEndpoint.Tcp tcp) {
        OutboundRoute direct = OutboundRoute.DEFAULT.through(ProxyRules.NONE);
        return new HttpTarget(tcp.uri(), Map.of(), false, direct, Redactor.of(tcp.secrets()));
    }

    /// The limits of a connection over a byte stream.
    public static StreamLimits streamLimits(LimitConfig limits) {
        return StreamLimits.defaults()
                .withFrameBytes(limits.frameBytes())
                .withStuckWrite(limits.stuckWrite())
                .withMaxDepth(limits.depth());
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
            case ServerEndpoint.WebSocket(var remote) -> target(remote).secrets();
            case ServerEndpoint.Tcp tcp -> Redactor.of(tcp.secrets());
            case ServerEndpoint.Unix unix -> Redactor.of(unix.secrets());
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
