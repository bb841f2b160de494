package dev.fusebox.gateway.life;

import java.time.Duration;

/// When a server is looked after although nobody calls it. Immutable.
final class Rounds {
    private final LifeRules rules;

    Rounds(LifeRules rules) {
        this.rules = rules;
    }

    /// It is there, and is asked from time to time whether it still is, if that is wanted.
    void ping(Turn turn, double chance) {
        turn.due = null;
        if (!rules.polls().ping().isZero()) {
            turn.plan(Due.What.PING, about(rules.polls().ping(), chance));
        }
    }

    void poll(Turn turn, double chance) {
        turn.plan(Due.What.POLL, about(rules.polls().health(), chance));
    }

    /// It is down. What was planned stays if it may bring it back; nobody asks with credentials that were refused.
    void whileDown(Turn turn, double chance) {
        boolean isLookedAfter = turn.isDue(Due.What.POLL) || turn.isDue(Due.What.PING);
        if (turn.due != null && !isLookedAfter) {
            return;
        }
        if (turn.status() == Status.REQUIRES_REAUTH) {
            turn.due = null;
        } else if (!rules.isProcess() && !turn.isDue(Due.What.POLL)) {
            poll(turn, chance);
        } else if (turn.due == null && rules.restarts()) {
            ping(turn, chance);
        }
    }

    /// The same when other rules hold from now on.
    void whileDownAnew(Turn turn, double chance) {
        if (turn.isDue(Due.What.POLL) || turn.isDue(Due.What.PING)) {
            turn.due = null;
        }
        whileDown(turn, chance);
    }

    /// Sooner or later by a tenth, so that servers are not all asked at once.
    private static Duration about(Duration usual, double chance) {
        return Duration.ofNanos((long) (usual.toNanos() * (0.9 + 0.2 * chance)));
    }
}
