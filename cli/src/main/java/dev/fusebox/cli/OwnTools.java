package dev.fusebox.cli;

import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.crowd.Menu;
import dev.fusebox.gateway.meta.CallTool;
import dev.fusebox.gateway.meta.OwnTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The gateway's own tools and what else clients see, as a configuration says. Pure functions; nothing blocks. One
/// tool more is one line here.
final class OwnTools {
    private OwnTools() {}

    static Menu menu(Configuration configuration) {
        Set<Menu.Pin> pins = configuration.pins().stream().map(Menu.Pin::of).collect(Collectors.toSet());
        List<OwnTool> own = configuration.expose().hasOwn() ? all() : List.of();
        return new Menu(configuration.expose().hasServers(), pins, own);
    }

    private static List<OwnTool> all() {
        List<OwnTool> tools = new ArrayList<>();
        tools.add(new CallTool());
        return tools;
    }
}
