package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Fault;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.gateway.life.Condition;
import dev.fusebox.gateway.life.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One server at one moment, as far as its lane and its shelf know. Immutable but for the lane.
///
/// @param lane null if the server cannot be called
/// @param absent how it is if it cannot be called; null if it can
/// @param known whether it has ever said what it offers
/// @param trouble what went wrong last; null if nothing did
/// @param condition how it is; null if nobody watches its life
/// @param tools that clients see
public record Sight(
        String id,
        @Nullable Lane lane,
        @Nullable Status absent,
        boolean known,
        @Nullable Fault trouble,
        @Nullable Condition condition,
        List<Tool> tools) {
    public Sight {
        tools = List.copyOf(tools);
    }

    /// A tool under its server's name and under the one that clients see. Immutable.
    ///
    /// @param tokens that a model reads to know all of it, about
    public record Tool(String own, String shown, String description, long tokens) {}

    /// A server of which nothing is known but its lane.
    public static Sight of(String id, Lane lane) {
        return new Sight(id, lane, null, false, null, null, List.of());
    }

    static Sight of(Absent server) {
        return new Sight(server.id(), null, server.status(), false, server.why(), null, List.of());
    }
}
