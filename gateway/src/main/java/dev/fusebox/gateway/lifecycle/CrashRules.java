package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.function.LongFunction;

/// The rules of the crash budget: what follows when a server's process exits unexpectedly. Immutable.
///
/// The budget limits automatic restarts. A process that never completed a handshake is restarted a few times, then
/// by the next call, under its breaker. A process that worked is restarted until it has crashed too often; then by
/// the next call as well, or, in the mode that stops it, only by an operator or the self-probe.
final class CrashRules {
    private final LifecycleSettings rules;
    private final PollSchedule pollSchedule;
    private final LongFunction<String> timeOfDay;

    /// @param timeOfDay the wall-clock time of a moment, for people
    CrashRules(LifecycleSettings rules, PollSchedule pollSchedule, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.pollSchedule = pollSchedule;
        this.timeOfDay = timeOfDay;
    }

    void of(Transition transition, LifecycleInput.Ended ended, double chance) {
        note(transition, ended);
        boolean isLast = transition.live == 0 && transition.status() != ServerStatus.PERMANENTLY_FAILED;
        boolean isTooMuch = isLast && isTooMuch(transition, ended);
        boolean willRestart = isLast && !isTooMuch && !isHopeless(transition) && rules.restarts();
        CallFailure failure = ended.failure();
        transition.addEvent(new LifecycleEvent.Crashed(
                ended.process(),
                failure.evidence().exitCode(),
                failure.evidence().signal(),
                ended.lived(),
                transition.greeted ? transition.crashCount.count() : transition.quick,
                willRestart));
        if (isTooMuch && rules.crashes().stops()) {
            giveUp(transition, ended);
        } else if (isTooMuch && rules.restarts()) {
            leaveToCalls(transition, chance);
        } else if (willRestart) {
            restart(transition, failure);
        } else if (isLast) {
            fail(transition, failure.message(), chance);
        }
    }

    /// It has never been ready, and was restarted automatically often enough.
    private boolean isHopeless(Transition transition) {
        int most = rules.crashes().most();
        boolean isOften = most > 0
                ? transition.quick >= most
                : transition.quick > rules.restartDelays().size();
        return !transition.greeted && isOften;
    }

    /// The budget is used up: only a call, a command, or the self-probe starts it.
    private void leaveToCalls(Transition transition, double chance) {
        long probeAt = transition.now + untilSelfProbe(transition).toNanos();
        fail(
                transition,
                crashed(transition) + "; not restarted automatically; the next call, `restart` or the check at "
                        + timeOfDay.apply(probeAt) + " starts it",
                chance);
        transition.plan(NextAction.Kind.SELF_PROBE, untilSelfProbe(transition));
    }

    /// A start that failed because of the gateway leaves the self-probe as planned.
    void replanSelfProbe(Transition transition) {
        int most = rules.crashes().most();
        if (transition.nextAction == null
                && transition.greeted
                && most > 0
                && transition.crashCount.count() >= most
                && rules.restarts()) {
            transition.plan(NextAction.Kind.SELF_PROBE, untilSelfProbe(transition));
        }
    }

    private Duration untilSelfProbe(Transition transition) {
        long pause = rules.polls().self().toNanos() << Math.min(transition.probes, 10);
        return Duration.ofNanos(Math.min(pause, LifecycleSettings.LONGEST_SELF_PROBE.toNanos()));
    }

    private String crashed(Transition transition) {
        int count = transition.crashCount.count();
        return "crashed " + count + (count == 1 ? " time" : " times") + " in "
                + rules.crashes().window().toMinutes() + " minutes";
    }

    private void fail(Transition transition, String message, double chance) {
        transition.endSyncing();
        if (!transition.status().canBecome(ServerStatus.ERROR)) {
            transition.moveTo(ServerStatus.CONNECTING, "connecting");
        }
        transition.moveTo(ServerStatus.ERROR, message);
        transition.wentDown();
        if (transition.isDue(NextAction.Kind.RESTART)) {
            transition.nextAction = null;
        }
        pollSchedule.whileDown(transition, chance);
    }

    private void note(Transition transition, LifecycleInput.Ended ended) {
        CallFailure failure = ended.failure();
        transition.lastFailure = failure;
        transition.ended = new LifecycleState.Ended(ended.process(), failure.message());
        boolean livedLong = ended.lived().compareTo(LifecycleSettings.LONG_LIFE) > 0;
        transition.crashCount = livedLong ? CrashCount.EMPTY : transition.crashCount;
        transition.quick = livedLong ? 0 : transition.quick + 1;
        transition.probes = livedLong ? 0 : transition.probes;
        if (transition.greeted) {
            CrashCount.Crash crash = new CrashCount.Crash(transition.now, failure.message(), ended.cause());
            transition.crashCount =
                    transition.crashCount.with(crash, rules.crashes().window());
        }
    }

    /// A permanently failed process has one try, until it has run long enough.
    private boolean isTooMuch(Transition transition, LifecycleInput.Ended ended) {
        int most = rules.crashes().most();
        boolean isOnProbation = transition.probes > 0 && ended.lived().compareTo(LifecycleSettings.LONG_LIFE) <= 0;
        return transition.greeted && most > 0 && (transition.crashCount.count() >= most || isOnProbation);
    }

    private void giveUp(Transition transition, LifecycleInput.Ended ended) {
        int count = transition.crashCount.count();
        String message = "Process " + crashed(transition) + "; last failure: "
                + ended.failure().message();
        restarting(transition, message);
        transition.addEvent(new LifecycleEvent.GivenUp(ended.process(), count, message));
        transition.moveTo(ServerStatus.PERMANENTLY_FAILED, message);
        transition.plan(NextAction.Kind.SELF_PROBE, untilSelfProbe(transition));
    }

    private void restart(Transition transition, CallFailure failure) {
        Duration delay = transition.quick == 0
                ? Duration.ZERO
                : rules.restartDelays()
                        .get(Math.min(transition.quick, rules.restartDelays().size()) - 1);
        restarting(transition, failure.message() + "; restarts in " + delay.toMillis() + " ms");
        transition.plan(NextAction.Kind.RESTART, delay);
    }

    private static void restarting(Transition transition, String message) {
        transition.endSyncing();
        if (transition.status() == ServerStatus.IDLE || transition.status() == ServerStatus.COMMAND_RECEIVED) {
            transition.moveTo(ServerStatus.CONNECTING, "connecting");
        }
        transition.moveTo(ServerStatus.RESTARTING, message);
        transition.previousStatus = null;
    }
}
