package dev.fusebox.cli;

import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.provision.ServerAdder;
import dev.fusebox.gateway.routing.UpstreamServers;

/// A server adder that works through the gateway's configuration file. Thread-safe.
///
/// @param reading applies the file
record ConfigFileServerAdder(UpstreamServers servers, Gateway gateway, Runnable reading) implements ServerAdder {
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
        return gateway.configuration().servers().stream()
                .anyMatch(each -> each.id().equals(server));
    }

    @Override
    public void await(String server, Deadline deadline) throws InterruptedException {
        servers.awaitSettled(server, deadline);
    }
}
