package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.client.lane.Way;
import dev.fusebox.gateway.stateless.Target;

/// How a server is called at the moment: by which rules, through which lane, on which line. Immutable but for
/// lane and line.
record Terms(MemberRules rules, Lane lane, Way way, Line line) {
    static Terms of(MemberRules rules, Lane lane, Line line) {
        return new Terms(rules, lane, lane.over(line.vitals()), line);
    }

    /// A call as the lane sees it.
    LaneCall call(Call call, LaneCall.Kind kind, Router.From from) {
        Target target = line.target();
        return new LaneCall(
                call,
                kind,
                from.asker(),
                attempt -> target.call(attempt, from.client()),
                from.client().info());
    }

    /// Makes the call, for a client whose turn it is if there has to be a connection first.
    Outcome make(Call call, LaneCall.Kind kind, Router.From from) {
        return make(call(call, kind, from));
    }

    Outcome make(LaneCall call) {
        line.work(call.client());
        return way.call(call);
    }
}
