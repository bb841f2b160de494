package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.reload.ConfigDifference;
import dev.fusebox.gateway.routing.ReloadAction;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.settings.CallRules;
import java.util.List;

/// The servers as clients at one place see them. Thread-safe, but [#apply] must not be called by two threads
/// concurrently; nothing blocks.
final class ClientWorkspace {
    private final LaunchPlace place;
    private final UpstreamServers servers;
    private final boolean isProfile;
    private final Configuration atStart;
    private volatile Configuration configuration;

    /// @param isProfile whether it is a part that clients choose, of which all changes take effect at once
    ClientWorkspace(LaunchPlace place, Configuration configuration, UpstreamServers servers, boolean isProfile) {
        this.place = place;
        this.configuration = configuration;
        this.atStart = configuration;
        this.servers = servers;
        this.isProfile = isProfile;
        if (!isProfile && place.client() == null && !configuration.http().needsToken()) {
            servers.setSharedLists();
        }
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
    /// @param workspaces supplies what clients see
    void apply(Configuration next, UpstreamFactory factory, ClientWorkspaceFactory workspaces) {
        ConfigDifference difference = ConfigDifference.between(configuration, next);
        UpstreamFactory here = factory.at(place);
        List<ReloadAction> reloadActions = next.servers().stream()
                .map(server -> here.reloadAction(server, difference.of(server.id())))
                .toList();
        servers.setExposurePolicy(workspaces.exposurePolicy(shown(next)));
        servers.setNullPolicy(next.nullPolicy());
        servers.setResultRules(CallRules.results(next));
        servers.setExtensions(next.extensions().passed(), next.extensions().listsApps());
        servers.waitForFirstLists(next.discovery().firstListWait());
        servers.replaceServers(reloadActions, next.pool().drain());
        servers.warmUp(difference.serversThat(ConfigDifference.Change.ADDED).stream()
                .filter(next.early()::contains)
                .toList());
        configuration = next;
    }

    /// What clients see of a changed configuration: `expose`, `pin` and the settings of the gateway's own tools are
    /// those of the start, as the report of a change says, except for what a profile sets itself.
    private Configuration shown(Configuration next) {
        Configuration seen = isProfile ? next : atStart;
        return new Configuration(next.servers(), seen.expose(), seen.pins(), next.tools(), atStart.gateway());
    }
}
