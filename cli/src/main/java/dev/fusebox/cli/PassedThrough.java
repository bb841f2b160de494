package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import java.util.List;

/// The single server of a configuration in pass-through mode. Immutable.
record PassedThrough(ServerConfig server, ServerEndpoint endpoint) {
    static PassedThrough of(Configuration configuration) throws ServeOptions.Problem {
        List<ServerConfig> servers = configuration.servers();
        if (servers.size() != 1) {
            throw new ServeOptions.Problem("--no-prefix requires exactly one server, and the" + " configuration has "
                    + servers.size() + "; omit it to serve them all");
        }
        ServerConfig server = servers.getFirst();
        if (server.state() instanceof Ready(ServerEndpoint endpoint)) {
            return new PassedThrough(server, endpoint);
        }
        throw new ServeOptions.Problem(
                UpstreamFactory.unavailableServer(server).why().message());
    }
}
