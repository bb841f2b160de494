package dev.fusebox.gateway.life;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.function.LongFunction;

/// What becomes of a server whose process ended by itself: the rules of its crash budget. Immutable.
///
/// The budget limits restarts that no call asked for. One that never got as far as shaking hands is started again
/// a few times, and then by the next call, under its breaker. One that worked is started again until it has
/// crashed too often; then by the next call as well, or, if the rules say that it stops, by an operator or the
/// self-probe only.
final class Crash {
    private final LifeRules rules;
    private final Rounds rounds;
    private final LongFunction<String> timeOfDay;

    /// @param timeOfDay the time that a wall clock shows then, for people
    Crash(LifeRules rules, Rounds rounds, LongFunction<String> timeOfDay) {
        this.rules = rules;
        this.rounds = rounds;
        this.timeOfDay = timeOfDay;
    }

    void of(Turn turn, Happening.Ended ended, double chance) {
        note(turn, ended);
        boolean isLast = turn.live == 0 && turn.status() != Status.PERMANENTLY_FAILED;
        boolean isTooMuch = isLast && isTooMuch(turn, ended);
        boolean willRestart = isLast && !isTooMuch && !isHopeless(turn) && rules.restarts();
        CallFailure failure = ended.failure();
        turn.tell(new LifeEvent.Crashed(
                ended.process(),
                failure.evidence().exitCode(),
                failure.evidence().signal(),
                ended.lived(),
                turn.greeted ? turn.tally.count() : turn.quick,
                willRestart));
        if (isTooMuch && rules.crashes().stops()) {
            giveUp(turn, ended);
        } else if (isTooMuch && rules.restarts()) {
            leaveToCalls(turn, chance);
        } else if (willRestart) {
            restart(turn, failure);
        } else if (isLast) {
            fail(turn, failure.message(), chance);
        }
    }

    /// It has never been ready, and was started often enough without being asked for.
    private boolean isHopeless(Turn turn) {
        int most = rules.crashes().most();
        boolean isOften = most > 0
                ? turn.quick >= most
                : turn.quick > rules.restartDelays().size();
        return !turn.greeted && isOften;
    }

    /// The budget is used up: nothing starts it but a call, a command, or the self-probe.
    private void leaveToCalls(Turn turn, double chance) {
        long probeAt = turn.now + untilSelfProbe(turn).toNanos();
        fail(
                turn,
                crashed(turn) + "; not restarted automatically; the next call, `restart` or the check at "
                        + timeOfDay.apply(probeAt) + " starts it",
                chance);
        turn.plan(Due.What.SELF_PROBE, untilSelfProbe(turn));
    }

    /// A start that did not come off for reasons of ours leaves the self-probe as it was planned.
    void planAnew(Turn turn) {
        int most = rules.crashes().most();
        if (turn.due == null && turn.greeted && most > 0 && turn.tally.count() >= most && rules.restarts()) {
            turn.plan(Due.What.SELF_PROBE, untilSelfProbe(turn));
        }
    }

    private Duration untilSelfProbe(Turn turn) {
        long pause = rules.polls().self().toNanos() << Math.min(turn.probes, 10);
        return Duration.ofNanos(Math.min(pause, LifeRules.LONGEST_SELF_PROBE.toNanos()));
    }

    private String crashed(Turn turn) {
        int count = turn.tally.count();
        return "crashed " + count + (count == 1 ? " time" : " times") + " in "
                + rules.crashes().window().toMinutes() + " minutes";
    }

    private void fail(Turn turn, String message, double chance) {
        turn.endSyncing();
        if (!turn.status().mayBecome(Status.ERROR)) {
            turn.become(Status.CONNECTING, "connecting");
        }
        turn.become(Status.ERROR, message);
        turn.fell();
        if (turn.isDue(Due.What.RESTART)) {
            turn.due = null;
        }
        rounds.whileDown(turn, chance);
    }

    private void note(Turn turn, Happening.Ended ended) {
        CallFailure failure = ended.failure();
        turn.lastFailure = failure;
        turn.ended = new Standing.Ended(ended.process(), failure.message());
        boolean livedLong = ended.lived().compareTo(LifeRules.LONG_LIFE) > 0;
        turn.tally = livedLong ? Tally.EMPTY : turn.tally;
        turn.quick = livedLong ? 0 : turn.quick + 1;
        turn.probes = livedLong ? 0 : turn.probes;
        if (turn.greeted) {
            Tally.Crash crash = new Tally.Crash(turn.now, failure.message(), ended.cause());
            turn.tally = turn.tally.with(crash, rules.crashes().window());
        }
    }

    /// A process that was given up has one try, until it has lived for long.
    private boolean isTooMuch(Turn turn, Happening.Ended ended) {
        int most = rules.crashes().most();
        boolean isOnProbation = turn.probes > 0 && ended.lived().compareTo(LifeRules.LONG_LIFE) <= 0;
        return turn.greeted && most > 0 && (turn.tally.count() >= most || isOnProbation);
    }

    private void giveUp(Turn turn, Happening.Ended ended) {
        int count = turn.tally.count();
        String message = "Process " + crashed(turn) + "; its last end: "
                + ended.failure().message();
        restarting(turn, message);
        turn.tell(new LifeEvent.GivenUp(ended.process(), count, message));
        turn.become(Status.PERMANENTLY_FAILED, message);
        turn.plan(Due.What.SELF_PROBE, untilSelfProbe(turn));
    }

    private void restart(Turn turn, CallFailure failure) {
        Duration delay = turn.quick == 0
                ? Duration.ZERO
                : rules.restartDelays()
                        .get(Math.min(turn.quick, rules.restartDelays().size()) - 1);
        restarting(turn, failure.message() + "; starts again in " + delay.toMillis() + " ms");
        turn.plan(Due.What.RESTART, delay);
    }

    private static void restarting(Turn turn, String message) {
        turn.endSyncing();
        if (turn.status() == Status.IDLE || turn.status() == Status.COMMAND_RECEIVED) {
            turn.become(Status.CONNECTING, "connecting");
        }
        turn.become(Status.RESTARTING, message);
        turn.before = null;
    }
}
