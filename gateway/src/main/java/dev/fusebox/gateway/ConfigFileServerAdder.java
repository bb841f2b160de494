package dev.fusebox.gateway;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.provision.ServerAdder;
import dev.fusebox.gateway.routing.UpstreamServers;
import java.util.function.Supplier;

/// A server adder that works through the gateway's configuration file. Thread-safe.
///
/// @param configuration the active configuration
/// @param reading applies the file
record ConfigFileServerAdder(UpstreamServers servers, Supplier<Configuration> configuration, Runnable reading)
        implements ServerAdder {
    @Override
    public boolean expect(String server) {
        return !has(server) && servers.pendingServers().expect(server);
    }

    @Override
    public void abandon(String server, String why) {
        servers.pendingServers().abandon(server, why);
    }

    @Override
    public void readFile() {
        reading.run();
    }

    @Override
    public boolean has(String server) {
        return configuration.get().servers().stream().anyMatch(each -> each.id().equals(server));
    }

    @Override
    public void await(String server, Deadline deadline) throws InterruptedException {
        servers.awaitSettled(server, deadline);
    }
}
