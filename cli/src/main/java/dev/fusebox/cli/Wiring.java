package dev.fusebox.cli;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.HttpConnector;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.Outbound;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.client.http.SseConnector;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.process.Children;
import dev.fusebox.gateway.config.ConfigProblem;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Reach;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.crowd.Absent;
import dev.fusebox.gateway.crowd.Joining;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.world.World;
import java.util.ArrayList;
import java.util.List;

/// Makes servers out of what a configuration says about them. For one thread.
final class Wiring implements AutoCloseable {
    private final World world;
    private final Configuration configuration;
    private final Parts parts;
    private final List<Outbound> lines = new ArrayList<>();

    /// What all servers have in common. Immutable.
    ///
    /// @param proxies that the environment names
    record Parts(Children children, Breakers breakers, Proxies proxies) {}

    Wiring(World world, Configuration configuration, Parts parts) {
        this.world = world;
        this.configuration = configuration;
        this.parts = parts;
    }

    Joining joining(ServerConfig server, Reach reach) {
        SessionSettings settings = SessionSettings.of(server.id())
                .withTimeout(server.times().call())
                .withConnectTimeout(server.times().connect())
                .withClientWait(configuration.limits().clientWait());
        Served served = Served.of(settings, connector(server, reach))
                .withEra(server.eras().policy())
                .withEraProbe(server.eras().probe())
                .withBounds(configuration.http().sessions());
        return new Joining(
                served, () -> new Lane(world, configuration.laneRules(server), parts.breakers()), server.memberRules());
    }

    private Connector connector(ServerConfig server, Reach reach) {
        return switch (reach) {
            case Reach.Stdio(ChildSpec spec) -> new StdioConnector(world, server.id(), parts.children(), spec);
            case Reach.Http(HttpTarget target) -> new HttpConnector(world, outbound(server), target);
            case Reach.Sse(HttpTarget target) -> new SseConnector(world, outbound(server), target);
        };
    }

    /// Each server has lines of its own, so that nobody waits for another's.
    private Outbound outbound(ServerConfig server) {
        OutboundSettings settings = OutboundSettings.usual()
                .withConnectTimeout(server.times().tcpConnect())
                .withMaxBodyBytes(configuration.limits().frameBytes())
                .withProxies(parts.proxies());
        Outbound outbound = Outbound.open(world, settings);
        lines.add(outbound);
        return outbound;
    }

    // ---- Servers that cannot be called

    static Absent disabled(ServerConfig server) {
        String message = server.id() + " is disabled in the configuration";
        return new Absent(server.id(), Fault.policy(FaultCode.SERVER_DISABLED, message));
    }

    static Absent awaiting(ServerConfig server, List<String> missing) {
        String message = server.id() + " waits for variables that are not set: " + String.join(", ", missing)
                + "; set them and start the gateway again";
        return new Absent(server.id(), Fault.policy(FaultCode.SERVER_DISABLED, message));
    }

    static Absent faulty(ServerConfig server, List<ConfigProblem> problems) {
        String message = server.id() + " cannot be served: " + problems.getFirst();
        return new Absent(server.id(), Fault.policy(FaultCode.SERVER_DISABLED, message));
    }

    // ---- Lines

    static boolean mayNeedProxy(Reach reach) {
        return switch (reach) {
            case Reach.Stdio stdio -> false;
            case Reach.Http(HttpTarget target) -> mayNeedProxy(target);
            case Reach.Sse(HttpTarget target) -> mayNeedProxy(target);
        };
    }

    private static boolean mayNeedProxy(HttpTarget target) {
        return target.route().proxies() == null && !target.isHere();
    }

    @Override
    public void close() {
        lines.forEach(Outbound::close);
    }
}
