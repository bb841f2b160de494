package dev.fusebox.gateway.crowd;

import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What holds for the calls of one server among many. Immutable.
///
/// @param timeout how long a call may take
/// @param filter which of its tools clients see
/// @param renaming what these are called
/// @param retrySafety what may be sent a second time
/// @param toolRetrySafety the same for single tools
/// @param backup the server that steps in for it; null if none does
public record MemberRules(
        Duration timeout,
        ToolFilter filter,
        Renaming renaming,
        RetrySafety retrySafety,
        Map<String, RetrySafety> toolRetrySafety,
        @Nullable String backup) {
    public MemberRules {
        toolRetrySafety = Map.copyOf(toolRetrySafety);
    }

    /// How it is without configuration.
    public static MemberRules within(Duration timeout) {
        return new MemberRules(timeout, ToolFilter.all(), Renaming.none(), RetrySafety.SAFE, Map.of(), null);
    }

    /// The same with a server that steps in.
    public MemberRules backedBy(String other) {
        return new MemberRules(timeout, filter, renaming, retrySafety, toolRetrySafety, other);
    }

    /// What a lane has to know of a call.
    ///
    /// @param tool null if the server does not list it
    PipelineCall.Kind kind(@Nullable Item tool) {
        return tool == null
                ? new PipelineCall.Kind(null, false, retrySafety)
                : new PipelineCall.Kind(tool.own(), tool.isRepeatable(), retrySafety(tool.own()));
    }

    /// What clients call a tool, without the server's name; null if they do not get to see it.
    @Nullable
    String shown(String own) {
        return filter.lets(own) ? renaming.shown(own) : null;
    }

    /// The server's own name for what clients call so; null if they do not get to see it.
    @Nullable
    String own(String shown) {
        String own = renaming.own(shown);
        return own != null && filter.lets(own) ? own : null;
    }

    /// What of this tool may be sent a second time.
    public RetrySafety retrySafety(String tool) {
        return toolRetrySafety.getOrDefault(tool, retrySafety);
    }
}
