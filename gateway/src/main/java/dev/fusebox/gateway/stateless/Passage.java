package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.lane.Attempt;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Replay;
import dev.fusebox.client.lane.Vitals;
import dev.fusebox.client.lane.Way;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How calls get to the only server that there is: through its lane if it has one. Nothing is known of its tools
/// here. Thread-safe; [#call] blocks for as long as the caller has patience.
final class Passage {
    /// What may be answered without asking the server, and shaking hands, which proves little.
    private static final Set<String> LOOKING =
            Set.of("initialize", "server/discover", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");

    /// What only reads, by the protocol.
    private static final Set<String> READING = Set.of(
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "completion/complete");

    private final @Nullable Way way;
    private final Function<String, Replay> replays;

    /// @param vitals of the connection that these calls are made on
    Passage(OneServer server, Vitals vitals) {
        Lane lane = server.lane();
        this.way = lane == null ? null : lane.over(vitals);
        this.replays = server.replays();
    }

    Outcome call(Call call, Attempt attempt) {
        Way through = way;
        if (through == null) {
            return attempt.make(call);
        }
        if (!call.request().method().equals("subscriptions/listen")) {
            return through.call(new LaneCall(call, kind(call.request()), this, attempt));
        }
        // A subscription would keep its place in the lane as long as it lasts; but nobody connects to a server
        // that is down.
        CallFailure refusal = through.refusal();
        return refusal == null ? attempt.make(call) : new Outcome.Failed(refusal);
    }

    private LaneCall.Kind kind(Message.Request request) {
        String method = request.method();
        if (LOOKING.contains(method)) {
            return LaneCall.Kind.LOOKING;
        }
        JsonView params = request.params();
        String tool = params == null || !method.equals("tools/call") ? null : params.string("name");
        return new LaneCall.Kind(null, READING.contains(method), tool == null ? Replay.SAFE : replays.apply(tool));
    }
}
