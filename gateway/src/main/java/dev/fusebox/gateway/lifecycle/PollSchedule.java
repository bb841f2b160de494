package dev.fusebox.gateway.lifecycle;

import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;

/// The scheduling of health checks. Immutable.
final class PollSchedule {
    private final LifecycleSettings rules;

    PollSchedule(LifecycleSettings rules) {
        this.rules = rules;
    }

    /// Schedules a ping of a connected server, if pings are enabled.
    void ping(Transition transition, double chance) {
        transition.nextAction = null;
        if (!rules.polls().ping().isZero()) {
            transition.plan(NextAction.Kind.PING, about(rules.polls().ping(), chance));
        }
    }

    void poll(Transition transition, double chance) {
        transition.plan(NextAction.Kind.POLL, about(rules.polls().health(), chance));
    }

    /// Schedules a poll of a server that is down. An action that may bring it back stays scheduled; rejected
    /// credentials are not polled with.
    void whileDown(Transition transition, double chance) {
        boolean isLookedAfter = transition.isDue(NextAction.Kind.POLL) || transition.isDue(NextAction.Kind.PING);
        if (transition.nextAction != null && !isLookedAfter) {
            return;
        }
        if (transition.status() == ServerStatus.REQUIRES_REAUTH) {
            transition.nextAction = null;
        } else if (!rules.isProcess() && !transition.isDue(NextAction.Kind.POLL)) {
            poll(transition, chance);
        } else if (transition.nextAction == null && rules.restarts()) {
            ping(transition, chance);
        }
    }

    /// The same after a change of the settings.
    void rescheduleWhileDown(Transition transition, double chance) {
        if (transition.isDue(NextAction.Kind.POLL) || transition.isDue(NextAction.Kind.PING)) {
            transition.nextAction = null;
        }
        whileDown(transition, chance);
    }

    /// Varied by a tenth, so that many servers are not polled at the same moment.
    private static Duration about(Duration usual, double chance) {
        return Duration.ofNanos((long) (usual.toNanos() * (0.9 + 0.2 * chance)));
    }
}
