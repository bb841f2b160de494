package dev.fusebox.breaker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One stay of the reference model in one state, with every call that ended in it. Used by one thread. */
final class ReferenceStay {
    private static final int BUCKETS = 10;

    final State state;
    final long transition;
    final long since;
    final Instant wall;
    /** When counting began: later than {@code since} if an operator asked again for the state that there was. */
    final long countedFrom;

    final List<ReferenceCall> calls = new ArrayList<>();
    private final List<ReferenceCall> endings = new ArrayList<>();
    long cooldown;
    String operatorReason = "";

    private ReferenceStay(State state, long transition, ManualTime time) {
        this.state = state;
        this.transition = transition;
        this.since = time.nanos();
        this.wall = time.instant();
        this.countedFrom = since;
    }

    /** The same state again: nothing has changed but that counting begins anew. */
    private ReferenceStay(ReferenceStay before, ManualTime time) {
        this.state = before.state;
        this.transition = before.transition;
        this.since = before.since;
        this.wall = before.wall;
        this.countedFrom = time.nanos();
    }

    static ReferenceStay first(ManualTime time) {
        return new ReferenceStay(State.CLOSED, 0, time);
    }

    ReferenceStay next(State next, ManualTime time) {
        return next == state ? new ReferenceStay(this, time) : new ReferenceStay(next, transition + 1, time);
    }

    boolean counts() {
        return state == State.CLOSED || state == State.DISABLED;
    }

    void note(ReferenceCall call) {
        call.counted = true;
        endings.add(call);
    }

    List<ReferenceCall> holders() {
        return calls.stream().filter(ReferenceCall::holdsAPlace).toList();
    }

    long successes() {
        return endings.stream()
                .filter(call -> call.kind == Verdict.Kind.SUCCESS)
                .count();
    }

    Counts counts(TripRule rule, long now) {
        if (rule instanceof TripRule.SlidingWindow window) {
            List<ReferenceCall> held =
                    endings.stream().filter(call -> isHeld(window, call, now)).toList();
            return count(held, failures(held));
        }
        return count(endings, failuresInARow());
    }

    private boolean isHeld(TripRule.SlidingWindow window, ReferenceCall call, long now) {
        long bucket = window.length().toNanos() / BUCKETS;
        long youngest = (now - countedFrom) / bucket;
        return (call.endedAt - countedFrom) / bucket > youngest - BUCKETS;
    }

    private static Counts count(List<ReferenceCall> held, long failureCount) {
        return new Counts(
                held.size(),
                failures(held),
                held.stream().filter(call -> call.slow).count(),
                failureCount);
    }

    private static long failures(List<ReferenceCall> held) {
        return held.stream().filter(call -> call.kind == Verdict.Kind.FAILURE).count();
    }

    private long failuresInARow() {
        long inARow = 0;
        for (ReferenceCall call : endings) {
            inARow = call.kind == Verdict.Kind.FAILURE ? inARow + 1 : 0;
        }
        return inARow;
    }
}
