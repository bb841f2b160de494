package dev.fusebox.gateway.crowd;

import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Replay;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What holds for the calls of one server among many. Immutable.
///
/// @param timeout how long a call may take
/// @param filter which of its tools clients see
/// @param renaming what these are called
/// @param replay what may be sent a second time
/// @param toolReplay the same for single tools
/// @param backup the server that steps in for it; null if none does
public record MemberRules(
        Duration timeout,
        ToolFilter filter,
        Renaming renaming,
        Replay replay,
        Map<String, Replay> toolReplay,
        @Nullable String backup) {
    public MemberRules {
        toolReplay = Map.copyOf(toolReplay);
    }

    /// How it is without configuration.
    public static MemberRules within(Duration timeout) {
        return new MemberRules(timeout, ToolFilter.all(), Renaming.none(), Replay.SAFE, Map.of(), null);
    }

    /// The same with a server that steps in.
    public MemberRules backedBy(String other) {
        return new MemberRules(timeout, filter, renaming, replay, toolReplay, other);
    }

    /// What a lane has to know of a call.
    ///
    /// @param tool null if the server does not list it
    LaneCall.Kind kind(@Nullable Item tool) {
        return tool == null
                ? new LaneCall.Kind(null, false, replay)
                : new LaneCall.Kind(tool.own(), tool.isRepeatable(), replay(tool.own()));
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
    public Replay replay(String tool) {
        return toolReplay.getOrDefault(tool, replay);
    }
}
