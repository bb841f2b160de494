package dev.fusebox.cli;

import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.crowd.Menu;
import dev.fusebox.gateway.execute.ExecuteTool;
import dev.fusebox.gateway.meta.CallTool;
import dev.fusebox.gateway.meta.DiscoverTool;
import dev.fusebox.gateway.meta.OwnTool;
import dev.fusebox.gateway.meta.ToolSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The gateway's own tools and what else clients see, as a configuration says. Pure functions; nothing blocks. One
/// tool more is one line here.
final class OwnTools {
    private OwnTools() {}

    /// @param search finds tools
    /// @param scripts what runs them, if anything does
    static Menu menu(Configuration configuration, ToolSearch search, Optional<ExecuteTool> scripts) {
        Set<Menu.Pin> pins = configuration.pins().stream().map(Menu.Pin::of).collect(Collectors.toSet());
        List<OwnTool> own = configuration.expose().hasOwn() ? all(configuration, search, scripts) : List.of();
        return new Menu(configuration.expose().hasServers(), pins, own);
    }

    private static List<OwnTool> all(Configuration configuration, ToolSearch search, Optional<ExecuteTool> scripts) {
        List<OwnTool> tools = new ArrayList<>();
        tools.add(new DiscoverTool(search, configuration.discovery().limit()));
        tools.add(new CallTool());
        scripts.ifPresent(tools::add);
        return tools;
    }
}
