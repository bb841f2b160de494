package dev.fusebox.gateway.lifecycle;

import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;

/// When a server is looked after although nobody calls it. Immutable.
final class PollSchedule {
    private final LifecycleSettings rules;

    PollSchedule(LifecycleSettings rules) {
        this.rules = rules;
    }

    /// It is there, and is asked from time to time whether it still is, if that is wanted.
    void ping(Transition transition, double chance) {
        transition.nextAction = null;
        if (!rules.polls().ping().isZero()) {
            transition.plan(NextAction.What.PING, about(rules.polls().ping(), chance));
        }
    }

    void poll(Transition transition, double chance) {
        transition.plan(NextAction.What.POLL, about(rules.polls().health(), chance));
    }

    /// It is down. What was planned stays if it may bring it back; nobody asks with credentials that were refused.
    void whileDown(Transition transition, double chance) {
        boolean isLookedAfter = transition.isDue(NextAction.What.POLL) || transition.isDue(NextAction.What.PING);
        if (transition.nextAction != null && !isLookedAfter) {
            return;
        }
        if (transition.status() == ServerStatus.REQUIRES_REAUTH) {
            transition.nextAction = null;
        } else if (!rules.isProcess() && !transition.isDue(NextAction.What.POLL)) {
            poll(transition, chance);
        } else if (transition.nextAction == null && rules.restarts()) {
            ping(transition, chance);
        }
    }

    /// The same when other rules hold from now on.
    void whileDownAnew(Transition transition, double chance) {
        if (transition.isDue(NextAction.What.POLL) || transition.isDue(NextAction.What.PING)) {
            transition.nextAction = null;
        }
        whileDown(transition, chance);
    }

    /// Sooner or later by a tenth, so that servers are not all asked at once.
    private static Duration about(Duration usual, double chance) {
        return Duration.ofNanos((long) (usual.toNanos() * (0.9 + 0.2 * chance)));
    }
}
