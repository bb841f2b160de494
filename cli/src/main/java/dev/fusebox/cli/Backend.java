package dev.fusebox.cli;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.client.lane.WorldSurroundings;
import dev.fusebox.client.process.Children;
import dev.fusebox.gateway.config.ConfigProblem;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Reach;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState.AwaitingConfig;
import dev.fusebox.gateway.config.ServerState.Disabled;
import dev.fusebox.gateway.config.ServerState.Faulty;
import dev.fusebox.gateway.config.ServerState.Ready;
import dev.fusebox.gateway.crowd.Absent;
import dev.fusebox.gateway.crowd.Crowd;
import dev.fusebox.gateway.crowd.Joining;
import dev.fusebox.gateway.events.BreakerLog;
import dev.fusebox.gateway.events.EventRing;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.gateway.stateless.OneServer;
import dev.fusebox.gateway.stateless.Service;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers of a configuration, ready to be served, and what it takes to reach them. Thread-safe; [#close] blocks
/// until all that was started has ended.
final class Backend implements AutoCloseable {
    /// What messages call the gateway itself.
    private static final String NAME = "fusebox";

    /// Each lane has its own bounds; this one is only for memory. More than there may be connections over HTTP, so that
    /// calls that wait for one server take no room from those for another.
    private static final int MOST_CALLS = 20_000;

    private static final long MOST_CALL_BYTES = 64L << 20;

    private final Children children;
    private final Breakers breakers;
    private final Wiring wiring;
    private final Service service;

    /// Starts nothing yet: a server is started by its first call.
    ///
    /// @param noPrefix whether the only server is passed through as it is
    /// @throws ServeOptions.Problem if the servers cannot be served like that
    static Backend open(World world, Configuration configuration, boolean noPrefix) throws ServeOptions.Problem {
        Proxies proxies = mayNeedProxy(configuration) ? proxies(world) : Proxies.NONE;
        Only only = noPrefix ? Only.of(configuration) : null;
        return new Backend(world, configuration, proxies, only);
    }

    /// @param only the server to be passed through as it is; null if all are served as one
    private Backend(World world, Configuration configuration, Proxies proxies, @Nullable Only only) {
        this.children = Children.open(world, configuration.pool().startsAtOnce());
        this.breakers = Breakers.settings()
                .surroundings(WorldSurroundings.of(world))
                .events(new EventRing())
                .build();
        BreakerLog.of(breakers);
        this.wiring = new Wiring(world, configuration, new Wiring.Parts(children, breakers, proxies));
        this.service = only == null ? crowd(world, configuration) : asItIs(only);
    }

    private OneServer asItIs(Only only) {
        Joining joining = wiring.joining(only.server(), only.reach());
        return OneServer.behind(joining.lane().get(), joining.served(), joining.rules()::replay);
    }

    private Crowd crowd(World world, Configuration configuration) {
        List<Joining> joining = new ArrayList<>();
        List<Absent> absent = new ArrayList<>();
        for (ServerConfig server : configuration.servers()) {
            switch (server.state()) {
                case Ready(Reach reach) -> joining.add(wiring.joining(server, reach));
                case Disabled disabled -> absent.add(Wiring.disabled(server));
                case AwaitingConfig(List<String> missing) -> absent.add(Wiring.awaiting(server, missing));
                case Faulty(List<ConfigProblem> problems) -> absent.add(Wiring.faulty(server, problems));
            }
        }
        SessionSettings settings = SessionSettings.of(NAME)
                .withClientWait(configuration.limits().clientWait())
                .withCalls(MOST_CALLS, MOST_CALL_BYTES);
        Crowd.Parameters parameters = new Crowd.Parameters(
                settings,
                configuration.http().sessions(),
                configuration.limits().toolPages());
        return new Crowd(world, parameters, new Crowd.Servers(joining, absent), Secrets.system());
    }

    /// The only server of a configuration.
    private record Only(ServerConfig server, Reach reach) {
        static Only of(Configuration configuration) throws ServeOptions.Problem {
            List<ServerConfig> servers = configuration.servers();
            if (servers.size() != 1) {
                throw new ServeOptions.Problem("--no-prefix passes exactly one server through as it is, and the"
                        + " configuration names " + servers.size() + "; leave it out to serve them all");
            }
            ServerConfig server = servers.getFirst();
            return switch (server.state()) {
                case Ready(Reach reach) -> new Only(server, reach);
                case Disabled disabled ->
                    throw new ServeOptions.Problem(Wiring.disabled(server).why().message());
                case AwaitingConfig(List<String> missing) ->
                    throw new ServeOptions.Problem(
                            Wiring.awaiting(server, missing).why().message());
                case Faulty(List<ConfigProblem> problems) ->
                    throw new ServeOptions.Problem(
                            Wiring.faulty(server, problems).why().message());
            };
        }
    }

    /// Whether the environment has a say in how a server is reached.
    private static boolean mayNeedProxy(Configuration configuration) {
        return configuration.servers().stream()
                .anyMatch(server -> server.state() instanceof Ready(Reach reach) && Wiring.mayNeedProxy(reach));
    }

    private static Proxies proxies(World world) throws ServeOptions.Problem {
        try {
            return Proxies.of(world.environment());
        } catch (IllegalArgumentException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    Service service() {
        return service;
    }

    Children children() {
        return children;
    }

    /// The children end whatever becomes of the rest.
    @Override
    public void close() {
        try {
            service.close();
            wiring.close();
            breakers.close();
        } finally {
            children.close();
        }
    }
}
