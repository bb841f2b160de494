package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import java.util.List;

/// The tools of all servers at one moment. Immutable.
///
/// @param edition equal as long as the tools are the same
/// @param tools in the order of the configuration
public record AvailableTools(Object edition, List<Tool> tools) {
    public AvailableTools {
        tools = List.copyOf(tools);
    }

    /// One tool of a server.
    ///
    /// @param name its name within its server
    /// @param definition as the server sent it
    /// @param isLive whether the server has listed it since the gateway started; otherwise it comes from the cache
    public record Tool(String server, String name, JsonView definition, boolean isLive) {}
}
