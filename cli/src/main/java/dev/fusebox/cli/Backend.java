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
import dev.fusebox.gateway.config.ServerFile;
import dev.fusebox.gateway.config.ServerFile.Server;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.world.World;

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
    /// @throws ServeOptions.Problem if the environment names a proxy that cannot be used, and one may be needed
    static Backend open(World world, ServerFile file) throws ServeOptions.Problem {
        OutboundSettings usual = OutboundSettings.usual();
        OutboundSettings settings = mayNeedProxy(file.server()) ? usual.withProxies(proxies(world)) : usual;
        Children children = Children.open(world);
        Outbound outbound = Outbound.open(world, settings);
        try {
            return new Backend(children, outbound, served(world, file, children, outbound));
        } catch (RuntimeException failed) {
            close(outbound, children);
            throw failed;
        }
    }

    private static Served served(World world, ServerFile file, Children children, Outbound outbound) {
        Connector connector = switch (file.server()) {
            case Server.Stdio(ChildSpec spec) -> new StdioConnector(world, file.name(), children, spec);
            case Server.Http(HttpTarget target) -> new HttpConnector(world, outbound, target);
            case Server.Sse(HttpTarget target) -> new SseConnector(world, outbound, target);
        };
        return Served.of(SessionSettings.of(file.name()), connector)
                .withEra(file.eras().policy())
                .withEraProbe(file.eras().probe());
    }

    /// Whether the environment has a say in how the server is reached.
    private static boolean mayNeedProxy(Server server) {
        return switch (server) {
            case Server.Stdio stdio -> false;
            case Server.Http(HttpTarget target) -> mayNeedProxy(target);
            case Server.Sse(HttpTarget target) -> mayNeedProxy(target);
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
