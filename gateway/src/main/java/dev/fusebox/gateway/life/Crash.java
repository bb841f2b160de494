package dev.fusebox.gateway.life;

import dev.fusebox.client.Fault;
import java.time.Duration;

/// What becomes of a server whose process ended by itself. Immutable.
///
/// One that never got as far as shaking hands has nothing to come back to: it is started again a few times, and then by
/// the next call, under its breaker. One that worked is started again until it has crashed too often.
final class Crash {
    private final LifeRules rules;
    private final Rounds rounds;

    Crash(LifeRules rules, Rounds rounds) {
        this.rules = rules;
        this.rounds = rounds;
    }

    void of(Turn turn, Happening.Ended ended, double chance) {
        note(turn, ended);
        boolean isLast = turn.live == 0 && turn.status() != Status.PERMANENTLY_FAILED;
        boolean isGivenUp = isLast && isTooMuch(turn, ended);
        boolean isHopeless = !turn.greeted && turn.quick > rules.restartDelays().size();
        boolean willRestart = isLast && !isGivenUp && !isHopeless && rules.restarts();
        Fault fault = ended.fault();
        turn.tell(new LifeEvent.Crashed(
                ended.process(),
                fault.evidence().exitCode(),
                fault.evidence().signal(),
                ended.lived(),
                turn.greeted ? turn.tally.count() : turn.quick,
                willRestart));
        if (isGivenUp) {
            giveUp(turn, ended);
        } else if (willRestart) {
            restart(turn, fault);
        } else if (isLast) {
            fail(turn, fault.message(), chance);
        }
    }

    private void fail(Turn turn, String message, double chance) {
        turn.endSyncing();
        if (!turn.status().mayBecome(Status.ERROR)) {
            turn.become(Status.CONNECTING, "connecting");
        }
        turn.become(Status.ERROR, message);
        turn.fell();
        rounds.whileDown(turn, chance);
    }

    private void note(Turn turn, Happening.Ended ended) {
        Fault fault = ended.fault();
        turn.lastFault = fault;
        turn.ended = new Standing.Ended(ended.process(), fault.message());
        boolean livedLong = ended.lived().compareTo(LifeRules.LONG_LIFE) > 0;
        turn.quick = livedLong ? 0 : turn.quick + 1;
        turn.probes = livedLong ? 0 : turn.probes;
        if (turn.greeted) {
            Tally.Crash crash = new Tally.Crash(turn.now, fault.message());
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
        String message = "Process crashed " + count + (count == 1 ? " time" : " times") + " in "
                + rules.crashes().window().toMinutes() + " minutes; its last end: "
                + ended.fault().message();
        restarting(turn, message);
        turn.tell(new LifeEvent.GivenUp(ended.process(), count, message));
        turn.become(Status.PERMANENTLY_FAILED, message);
        long pause = rules.polls().self().toNanos() << Math.min(turn.probes, 10);
        turn.plan(Due.What.SELF_PROBE, Duration.ofNanos(Math.min(pause, LifeRules.LONGEST_SELF_PROBE.toNanos())));
    }

    private void restart(Turn turn, Fault fault) {
        Duration delay = turn.quick == 0
                ? Duration.ZERO
                : rules.restartDelays()
                        .get(Math.min(turn.quick, rules.restartDelays().size()) - 1);
        restarting(turn, fault.message() + "; starts again in " + delay.toMillis() + " ms");
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
