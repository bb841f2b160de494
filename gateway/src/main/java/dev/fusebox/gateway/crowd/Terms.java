package dev.fusebox.gateway.crowd;

import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.Way;

/// How a server is called at the moment: by which rules, through which lane, on which line. Immutable but for
/// lane and line.
record Terms(MemberRules rules, Lane lane, Way way, Line line) {
    static Terms of(MemberRules rules, Lane lane, Line line) {
        return new Terms(rules, lane, lane.over(line.vitals()), line);
    }
}
