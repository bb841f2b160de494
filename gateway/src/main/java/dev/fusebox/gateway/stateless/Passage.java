package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.lane.Attempt;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Replay;
import dev.fusebox.client.lane.Vitals;
import dev.fusebox.client.lane.Way;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How calls get to the only server that there is: through its lane if it has one. Nothing is known of its tools here.
/// Thread-safe; [#call] blocks for as long as the caller has patience.
final class Passage {
    /// What only reads, by the protocol.
    private static final Set<String> READING = Set.of(
            "initialize",
            "server/discover",
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "completion/complete");

    private final @Nullable Way way;

    /// @param lane null if calls go straight to the server
    /// @param vitals of the connection that these calls are made on
    Passage(@Nullable Lane lane, Vitals vitals) {
        this.way = lane == null ? null : lane.over(vitals);
    }

    Outcome call(Call call, Attempt attempt) {
        String method = call.request().method();
        // A subscription lasts until somebody ends it, and would keep its place in the lane all that time.
        if (way == null || method.equals("subscriptions/listen")) {
            return attempt.make(call);
        }
        LaneCall.Kind kind = new LaneCall.Kind(null, READING.contains(method), Replay.SAFE);
        return way.call(new LaneCall(call, kind, this, attempt));
    }
}
