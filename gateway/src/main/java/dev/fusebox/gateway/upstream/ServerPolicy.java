package dev.fusebox.gateway.upstream;

import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What holds for the calls of one server among many. Immutable.
///
/// @param timeout how long a call may take
/// @param filter which of its tools clients see
/// @param toolRenaming what these are called
/// @param retrySafety what may be sent a second time
/// @param toolRetrySafety the same for single tools
/// @param backup the server that steps in for it; null if none does
public record ServerPolicy(
        Duration timeout,
        ToolFilter filter,
        ToolRenaming toolRenaming,
        RetrySafety retrySafety,
        Map<String, RetrySafety> toolRetrySafety,
        @Nullable String backup) {
    public ServerPolicy {
        toolRetrySafety = Map.copyOf(toolRetrySafety);
    }

    /// How it is without configuration.
    public static ServerPolicy within(Duration timeout) {
        return new ServerPolicy(timeout, ToolFilter.all(), ToolRenaming.none(), RetrySafety.SAFE, Map.of(), null);
    }

    /// The same with a server that steps in.
    public ServerPolicy backedBy(String other) {
        return new ServerPolicy(timeout, filter, toolRenaming, retrySafety, toolRetrySafety, other);
    }

    /// What a lane has to know of a call.
    ///
    /// @param tool null if the server does not list it
    PipelineCall.Kind kind(@Nullable CatalogEntry tool) {
        return tool == null
                ? new PipelineCall.Kind(null, false, retrySafety)
                : new PipelineCall.Kind(tool.own(), tool.isRepeatable(), retrySafety(tool.own()));
    }

    /// What clients call a tool, without the server's name; null if they do not get to see it.
    @Nullable
    String shown(String own) {
        return filter.lets(own) ? toolRenaming.shown(own) : null;
    }

    /// The server's own name for what clients call so; null if they do not get to see it.
    @Nullable
    String own(String shown) {
        String own = toolRenaming.own(shown);
        return own != null && filter.lets(own) ? own : null;
    }

    /// What of this tool may be sent a second time.
    public RetrySafety retrySafety(String tool) {
        return toolRetrySafety.getOrDefault(tool, retrySafety);
    }
}
