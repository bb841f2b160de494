package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import java.util.List;

/// The single server of a configuration in pass-through mode. Immutable.
record PassedThrough(ServerConfig server, ServerEndpoint endpoint) {
    static PassedThrough of(Configuration configuration) throws GatewayException {
        List<ServerConfig> servers = configuration.servers();
        if (servers.size() != 1) {
            throw new GatewayException("--no-prefix requires exactly one server, but the configuration has "
                    + servers.size() + "; omit it to serve all of them");
        }
        ServerConfig server = servers.getFirst();
        if (server.state() instanceof Ready(ServerEndpoint endpoint)) {
            return new PassedThrough(server, endpoint);
        }
        throw new GatewayException(
                UpstreamFactory.unavailableServer(server).why().message());
    }
}
