package dev.fusebox.gateway.upstream;

import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.catalog.ToolRenaming;
import dev.fusebox.gateway.result.ResultSource;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings for calls to one server. Immutable.
///
/// @param timeout time limit of a call
/// @param filter the tools that clients see
/// @param toolRenaming exposed names of tools
/// @param retrySafety which calls may be sent again
/// @param toolRetrySafety the same for single tools
/// @param backup id of the backup server; null if there is none
/// @param maxResultBytes how long content of its results may be; [ResultSource#NO_LIMIT] for none
public record ServerPolicy(
        Duration timeout,
        ToolFilter filter,
        ToolRenaming toolRenaming,
        RetrySafety retrySafety,
        Map<String, RetrySafety> toolRetrySafety,
        @Nullable String backup,
        long maxResultBytes) {
    public ServerPolicy {
        toolRetrySafety = Map.copyOf(toolRetrySafety);
    }

    /// The default policy with this timeout.
    public static ServerPolicy within(Duration timeout) {
        return new ServerPolicy(
                timeout,
                ToolFilter.all(),
                ToolRenaming.none(),
                RetrySafety.SAFE,
                Map.of(),
                null,
                ResultSource.NO_LIMIT);
    }

    /// The same policy with a backup server.
    public ServerPolicy backedBy(String other) {
        return new ServerPolicy(timeout, filter, toolRenaming, retrySafety, toolRetrySafety, other, maxResultBytes);
    }

    /// The same policy with another limit for results.
    public ServerPolicy withMaxResultBytes(long other) {
        return new ServerPolicy(timeout, filter, toolRenaming, retrySafety, toolRetrySafety, backup, other);
    }

    /// The properties of a call that the call pipeline needs.
    ///
    /// @param tool null if the server does not list it
    PipelineCall.Kind kind(@Nullable CatalogEntry tool) {
        return tool == null
                ? new PipelineCall.Kind(null, false, retrySafety)
                : new PipelineCall.Kind(tool.own(), tool.isRepeatable(), retrySafety(tool.own()));
    }

    /// The exposed name of a tool, without the server's name; null if the tool is filtered out.
    @Nullable
    public String shown(String own) {
        return filter.lets(own) ? toolRenaming.shown(own) : null;
    }

    /// The server's own name for an exposed name; null if the tool is filtered out.
    @Nullable
    String own(String shown) {
        String own = toolRenaming.own(shown);
        return own != null && filter.lets(own) ? own : null;
    }

    /// Whether the length of its results is limited.
    public boolean limitsResults() {
        return maxResultBytes != ResultSource.NO_LIMIT;
    }

    /// Which calls of this tool may be sent again.
    public RetrySafety retrySafety(String tool) {
        return toolRetrySafety.getOrDefault(tool, retrySafety);
    }
}
