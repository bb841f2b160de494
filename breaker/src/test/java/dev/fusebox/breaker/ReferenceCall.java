package dev.fusebox.breaker;

import java.util.ArrayList;
import java.util.List;

/** A call as the reference model remembers it: when it began, stood still and ended. Used by one thread. */
final class ReferenceCall implements ReferenceAnswer {
    final ReferenceStay stay;
    final long began;
    final long lease;
    /** Which of the places for tests it got; 0 for a call that is no test. */
    final int place;

    private final List<Pause> pauses = new ArrayList<>();
    /** No other test was under way when it began. */
    boolean alone;

    boolean ended;
    boolean lostItsPlace;
    boolean counted;
    long endedAt;
    boolean slow;
    Verdict.Kind kind = Verdict.Kind.NEITHER;
    String category = "";

    ReferenceCall(ReferenceStay stay, long began, long lease, int place) {
        this.stay = stay;
        this.began = began;
        this.lease = lease;
        this.place = place;
    }

    /** The clock stood still from {@code from} to {@code until}, which lies in the future as long as nobody resumes. */
    private record Pause(long from, long until) {}

    private boolean isPaused(long now) {
        return !pauses.isEmpty() && now - pauses.get(pauses.size() - 1).until() < 0;
    }

    void pause(long now, long atMost) {
        if (!isPaused(now)) {
            pauses.add(new Pause(now, now + atMost));
        }
    }

    /** When the last pause is or was over; without one, when the call began. */
    long pauseEnd() {
        return pauses.isEmpty() ? began : pauses.get(pauses.size() - 1).until();
    }

    void resume(long now) {
        if (isPaused(now)) {
            Pause last = pauses.remove(pauses.size() - 1);
            pauses.add(new Pause(last.from(), now));
        }
    }

    /** How long the call has run, without its pauses. */
    long took(long now) {
        long took = now - began;
        for (Pause pause : pauses) {
            long until = now - pause.until() < 0 ? now : pause.until();
            took -= until - pause.from();
        }
        return took;
    }

    /** When the lease ends; a pause lengthens it unless it was over before. */
    long leaseEnd() {
        long end = began + lease;
        for (Pause pause : pauses) {
            if (pause.from() - end < 0) {
                end += pause.until() - pause.from();
            }
        }
        return end;
    }

    boolean holdsAPlace() {
        return !ended && !lostItsPlace;
    }
}
