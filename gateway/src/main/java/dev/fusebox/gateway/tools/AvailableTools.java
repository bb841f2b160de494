package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import java.util.List;

/// The tools of all servers at one moment. Immutable.
///
/// @param edition equal for as long as the tools are the same
/// @param tools in the order of the configuration
public record AvailableTools(Object edition, List<Tool> tools) {
    public AvailableTools {
        tools = List.copyOf(tools);
    }

    /// One tool of a server.
    ///
    /// @param name what it is called by with its server beside it
    /// @param definition as its server gave it
    /// @param isLive whether its server has said so since the gateway started; memory has, otherwise
    public record Tool(String server, String name, JsonView definition, boolean isLive) {}
}
