package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of all servers at one moment. Immutable.
///
/// @param view whose tools they are; null if there is only one view
/// @param edition equal as long as the tools are the same
/// @param tools in the order of the configuration
public record AvailableTools(@Nullable ToolView view, Object edition, List<Tool> tools) {
    public AvailableTools {
        tools = List.copyOf(tools);
    }

    /// The tools of the only view.
    public AvailableTools(Object edition, List<Tool> tools) {
        this(null, edition, tools);
    }

    /// One tool of a server.
    ///
    /// @param name its name within its server
    /// @param definition as the server sent it
    /// @param isLive whether the server has listed it since the gateway started; otherwise it comes from the cache
    public record Tool(String server, String name, JsonView definition, boolean isLive) {}
}
