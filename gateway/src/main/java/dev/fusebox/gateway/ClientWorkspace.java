package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.reload.ConfigDifference;
import dev.fusebox.gateway.routing.ReloadAction;
import dev.fusebox.gateway.routing.UpstreamServers;
import java.util.List;

/// The servers as clients at one place see them. Thread-safe, but [#apply] must not be called by two threads
/// concurrently; nothing blocks.
final class ClientWorkspace {
    private final LaunchPlace place;
    private final UpstreamServers servers;
    private volatile Configuration configuration;

    ClientWorkspace(LaunchPlace place, Configuration configuration, UpstreamServers servers) {
        this.place = place;
        this.configuration = configuration;
        this.servers = servers;
    }

    LaunchPlace place() {
        return place;
    }

    UpstreamServers servers() {
        return servers;
    }

    /// The active configuration.
    Configuration configuration() {
        return configuration;
    }

    /// Applies a changed configuration.
    ///
    /// @param factory for the configuration
    void apply(Configuration next, UpstreamFactory factory) {
        ConfigDifference difference = ConfigDifference.between(configuration, next);
        UpstreamFactory here = factory.at(place);
        List<ReloadAction> reloadActions = next.servers().stream()
                .map(server -> here.reloadAction(server, difference.of(server.id())))
                .toList();
        servers.setNullPolicy(next.nullPolicy());
        servers.waitForFirstLists(next.discovery().firstListWait());
        servers.replaceServers(reloadActions, next.pool().drain());
        servers.warmUp(difference.serversThat(ConfigDifference.Change.ADDED).stream()
                .filter(next.early()::contains)
                .toList());
        configuration = next;
    }
}
