package dev.fusebox.breaker;

/**
 * The counts of a breaker: in its window, or, without a window, since it last closed. Immutable.
 *
 * @param totalCalls calls that succeeded or failed
 * @param failures those that failed
 * @param slowCalls those that were slow; 0 if slow calls do not matter
 * @param failureCount the failures that count toward the threshold: in a row, or in the window
 */
public record Counts(long totalCalls, long failures, long slowCalls, long failureCount) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    /** The share of calls that failed, 0 without calls. */
    public double failureRate() {
        return totalCalls == 0 ? 0 : (double) failures / totalCalls;
    }

    /** The share of calls that were slow, 0 without calls. */
    public double slowCallRate() {
        return totalCalls == 0 ? 0 : (double) slowCalls / totalCalls;
    }
}
