package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ExtensionConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.AwaitingConfig;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.config.ServerState.Faulty;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.ServerState.Replicated;
import dev.fusebox.gateway.execute.ExecuteTool;
import dev.fusebox.gateway.observe.Traces;
import dev.fusebox.gateway.provision.ProvisionTool;
import dev.fusebox.gateway.routing.ExposurePolicy;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.settings.CallRules;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.SharedServerTable;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.sandbox.Sandbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A factory of the servers of a configuration, as clients at one place see them. Immutable; thread-safe. The
/// servers begin to restore their lists; none is started, unless the configuration says so.
///
/// @param parameters those of all places
/// @param tools what the gateway's own tools need
/// @param isReadAhead whether tools are indexed as soon as they are known
record ClientWorkspaceFactory(
        Platform platform,
        UpstreamServers.Parameters parameters,
        Tools tools,
        SharedServerTable table,
        boolean isReadAhead) {
    /// What the gateway's own tools need. Immutable.
    ///
    /// @param sandbox runs scripts; empty if there is none
    record Tools(ToolSearch search, ProvisionTool provision, Optional<Sandbox> sandbox, Traces traces) {}

    /// The servers of a configuration.
    ///
    /// @param factory for the place
    UpstreamServers open(Configuration configuration, UpstreamFactory factory) {
        List<PlannedServer> planned = new ArrayList<>();
        List<UnavailableServer> unavailableServers = new ArrayList<>();
        Map<String, List<String>> replicaSets = new LinkedHashMap<>();
        for (ServerConfig server : configuration.servers()) {
            switch (server.state()) {
                case Ready(ServerEndpoint endpoint) -> planned.add(factory.planned(server, endpoint));
                case Replicated(List<String> replicas) -> replicaSets.put(server.id(), replicas);
                case Disabled _ -> unavailableServers.add(UpstreamFactory.unavailableServer(server));
                case AwaitingConfig _ -> unavailableServers.add(UpstreamFactory.unavailableServer(server));
                case Faulty _ -> unavailableServers.add(UpstreamFactory.unavailableServer(server));
            }
        }
        UpstreamServers servers = new UpstreamServers(
                platform,
                parameters.with(exposurePolicy(configuration)),
                new UpstreamServers.Servers(planned, unavailableServers, replicaSets, table, factory.origin()),
                SecretIds.system());
        servers.setNullPolicy(configuration.nullPolicy());
        servers.setResultRules(CallRules.results(configuration));
        ExtensionConfig extensions = configuration.extensions();
        servers.setExtensions(extensions.passed(), extensions.listsApps());
        servers.waitForFirstLists(configuration.discovery().firstListWait());
        if (configuration.expose().hasOwn() && isReadAhead) {
            tools.search().preload();
            servers.restoreCatalogs(tools.search()::index);
        } else {
            servers.restoreCatalogs(unsearched -> {});
        }
        servers.warmUp(configuration.early());
        return servers;
    }

    /// What clients see of a configuration.
    ExposurePolicy exposurePolicy(Configuration configuration) {
        return GatewayTools.exposurePolicy(
                configuration, new GatewayTools.Parts(tools.search(), tools.provision(), scripts(configuration)));
    }

    /// The tool that runs scripts, if it is enabled and a sandbox is available. It starts nothing yet.
    private Optional<ExecuteTool> scripts(Configuration configuration) {
        List<String> names =
                configuration.servers().stream().map(ServerConfig::id).toList();
        return tools.sandbox()
                .map(it -> new ExecuteTool(it, configuration.execute().limit(), () -> names, tools.traces()::script));
    }
}
