package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.execute.ExecuteTool;
import dev.fusebox.gateway.provision.ProvisionTool;
import dev.fusebox.gateway.routing.ExposurePolicy;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.GatewayTool;
import dev.fusebox.gateway.tools.ToolSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A factory of the exposure policy and of the gateway's own tools. Stateless; does not block. A new tool is one
/// line here.
final class GatewayTools {
    private GatewayTools() {}

    /// The tools and services with dependencies of their own. Immutable.
    ///
    /// @param search finds tools
    /// @param provision finds and adds servers
    /// @param scripts runs scripts, if enabled
    record Parts(ToolSearch search, ProvisionTool provision, Optional<ExecuteTool> scripts) {}

    static ExposurePolicy exposurePolicy(Configuration configuration, Parts parts) {
        Set<ExposurePolicy.Pin> pins =
                configuration.pins().stream().map(ExposurePolicy.Pin::of).collect(Collectors.toSet());
        List<GatewayTool> own = configuration.expose().hasOwn() ? all(configuration, parts) : List.of();
        ToolFilter tools = new ToolFilter(
                configuration.tools().include(), configuration.tools().exclude());
        return new ExposurePolicy(configuration.expose().hasServers(), pins, own, tools);
    }

    private static List<GatewayTool> all(Configuration configuration, Parts parts) {
        List<GatewayTool> tools = new ArrayList<>();
        tools.add(new DiscoverTool(parts.search(), configuration.discovery().limit()));
        tools.add(new CallTool());
        tools.add(parts.provision());
        parts.scripts().ifPresent(tools::add);
        return tools;
    }
}
