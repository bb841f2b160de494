package dev.fusebox.cli;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.HttpConnector;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.Outbound;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.client.http.SseConnector;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.process.Children;
import dev.fusebox.gateway.config.ConfigProblem;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Reach;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState.AwaitingConfig;
import dev.fusebox.gateway.config.ServerState.Disabled;
import dev.fusebox.gateway.config.ServerState.Faulty;
import dev.fusebox.gateway.config.ServerState.Ready;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.world.World;
import java.util.List;

/// The server of a configuration, ready to be served, and what it takes to reach it. Thread-safe; [#close] blocks until
/// all that was started has ended.
final class Backend implements AutoCloseable {
    private final Children children;
    private final Outbound outbound;
    private final Served served;

    private Backend(Children children, Outbound outbound, Served served) {
        this.children = children;
        this.outbound = outbound;
        this.served = served;
    }

    /// Starts nothing yet: a server is started by its first call.
    ///
    /// @throws ServeOptions.Problem if there is not exactly one server that can be used, or if the environment
    ///     names a proxy that cannot be used, and one may be needed
    static Backend open(World world, Configuration configuration) throws ServeOptions.Problem {
        Only only = Only.of(configuration);
        OutboundSettings usual = OutboundSettings.usual();
        OutboundSettings settings = mayNeedProxy(only.reach()) ? usual.withProxies(proxies(world)) : usual;
        Children children = Children.open(world);
        Outbound outbound = Outbound.open(world, settings);
        try {
            return new Backend(children, outbound, served(world, only, children, outbound));
        } catch (RuntimeException failed) {
            close(outbound, children);
            throw failed;
        }
    }

    /// The only server of a configuration.
    private record Only(ServerConfig server, Reach reach) {
        static Only of(Configuration configuration) throws ServeOptions.Problem {
            List<ServerConfig> servers = configuration.servers();
            if (servers.size() != 1) {
                throw new ServeOptions.Problem(
                        "the configuration names " + servers.size() + " servers; so far Fusebox serves exactly one");
            }
            ServerConfig server = servers.getFirst();
            return switch (server.state()) {
                case Ready(Reach reach) -> new Only(server, reach);
                case Disabled disabled -> throw new ServeOptions.Problem(server.id() + " is disabled");
                case AwaitingConfig(List<String> missing) ->
                    throw new ServeOptions.Problem(
                            server.id() + " waits for variables that are not set: " + String.join(", ", missing));
                case Faulty(List<ConfigProblem> problems) ->
                    throw new ServeOptions.Problem(server.id() + " cannot be served: " + problems.getFirst());
            };
        }
    }

    private static Served served(World world, Only only, Children children, Outbound outbound) {
        String name = only.server().id();
        Connector connector = switch (only.reach()) {
            case Reach.Stdio(ChildSpec spec) -> new StdioConnector(world, name, children, spec);
            case Reach.Http(HttpTarget target) -> new HttpConnector(world, outbound, target);
            case Reach.Sse(HttpTarget target) -> new SseConnector(world, outbound, target);
        };
        return Served.of(SessionSettings.of(name), connector)
                .withEra(only.server().eras().policy())
                .withEraProbe(only.server().eras().probe());
    }

    /// Whether the environment has a say in how the server is reached.
    private static boolean mayNeedProxy(Reach reach) {
        return switch (reach) {
            case Reach.Stdio stdio -> false;
            case Reach.Http(HttpTarget target) -> mayNeedProxy(target);
            case Reach.Sse(HttpTarget target) -> mayNeedProxy(target);
        };
    }

    private static boolean mayNeedProxy(HttpTarget target) {
        return target.route().proxies() == null && !target.isHere();
    }

    private static Proxies proxies(World world) throws ServeOptions.Problem {
        try {
            return Proxies.of(world.environment());
        } catch (IllegalArgumentException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    Served served() {
        return served;
    }

    Children children() {
        return children;
    }

    @Override
    public void close() {
        close(outbound, children);
    }

    /// The children end whatever becomes of the lines.
    private static void close(Outbound outbound, Children children) {
        try {
            outbound.close();
        } finally {
            children.close();
        }
    }
}
