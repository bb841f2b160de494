package dev.fusebox.breaker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        TripRule.SlidingWindow window = window(rule);
        if (window != null) {
            List<ReferenceCall> held =
                    endings.stream().filter(call -> isHeld(window, call, now)).toList();
            return count(held, failures(held));
        }
        return count(endings, failuresInARow());
    }

    static TripRule.@Nullable SlidingWindow window(TripRule rule) {
        if (rule instanceof TripRule.WindowOrStreak both) {
            return both.window();
        }
        return rule instanceof TripRule.SlidingWindow window ? window : null;
    }

    /** When the last test was answered, or the last one that was alone began. */
    long unansweredSince() {
        long latest = since;
        for (ReferenceCall call : calls) {
            boolean isAnswered = call.counted && call.kind == Verdict.Kind.SUCCESS;
            latest = call.alone && call.began - latest > 0 ? call.began : latest;
            latest = isAnswered && call.endedAt - latest > 0 ? call.endedAt : latest;
        }
        return latest;
    }

    /** How long the row is that the last failure made, if it is long enough to trip; otherwise 0. */
    long streak(TripRule.WindowOrStreak rule, long now) {
        if (endings.isEmpty() || endings.get(endings.size() - 1).kind != Verdict.Kind.FAILURE) {
            return 0;
        }
        String category = endings.get(endings.size() - 1).category;
        long inARow = 0;
        for (ReferenceCall call : endings) {
            boolean isSame = call.category.equals(category);
            inARow = call.kind != Verdict.Kind.FAILURE ? 0 : inARow + (isSame ? 1 : 0);
        }
        long held = endings.stream()
                .filter(call -> call.kind == Verdict.Kind.SUCCESS && isHeld(rule.window(), call, now))
                .count();
        int usual = rule.streaks().getOrDefault(category, Integer.MAX_VALUE);
        boolean isProven = held >= rule.window().minimumCalls();
        return inARow >= (isProven ? rule.provenStreaks().getOrDefault(category, usual) : usual) ? inARow : 0;
    }

    Counts countsAtTrip(TripRule rule, Counts counts, long now) {
        long inARow = rule instanceof TripRule.WindowOrStreak both ? streak(both, now) : 0;
        return inARow == 0 ? counts : new Counts(counts.totalCalls(), counts.failures(), counts.slowCalls(), inARow);
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
