package dev.fusebox.breaker;

/**
 * The record of a breaker's trips, passed from one state to the next. Immutable.
 *
 * @param trips all trips since the breaker was created
 * @param inARow trips in a row, without a long closed phase between them; the cooldown grows with their number
 * @param atTrip what was counted when the breaker last tripped from closed
 */
record History(long trips, int inARow, Counts atTrip) {
    static final History NONE = new History(0, 0, Counts.NONE);

    /** A closed breaker tripped. */
    History tripped(Counts counts) {
        return new History(trips + 1, oneMore(), counts);
    }

    /** A probe failed. */
    History trippedAgain() {
        return new History(trips + 1, oneMore(), atTrip);
    }

    /** The breaker has been closed long enough for the next trip to be the first in a row. */
    History calm() {
        return new History(trips, 0, atTrip);
    }

    /** An operator changed the state: nothing of the past counts, except for the total. */
    History cleared() {
        return new History(trips, 0, Counts.NONE);
    }

    private int oneMore() {
        return inARow == Integer.MAX_VALUE ? inARow : inARow + 1;
    }

    long failureCount() {
        return atTrip.failureCount();
    }
}
