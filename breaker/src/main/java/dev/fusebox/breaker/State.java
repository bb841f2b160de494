package dev.fusebox.breaker;

/**
 * The state of a breaker, which decides whether it admits calls.
 *
 * <pre>{@code
 *                    threshold reached
 *        closed ------------------------> open <----------+
 *          ^                               |              | a probe failed
 *          |  enough probes passed         | cooldown over: the next call is the probe
 *          +---------------------- half-open -------------+
 *
 *   forceOpen() leads from anywhere to forced-open, disable() to disabled, reset() back to closed.
 * }</pre>
 */
public enum State {
    /** Every call is admitted and counted. */
    CLOSED("closed"),
    /** Every call is rejected until the cooldown is over. */
    OPEN("open"),
    /** A few probes test whether the server has recovered; all other calls are rejected. */
    HALF_OPEN("half-open"),
    /** An operator has forced the breaker open, until it is reset. */
    FORCED_OPEN("forced-open"),
    /** Every call is admitted and counted; the breaker never trips. */
    DISABLED("disabled");

    private final String label;

    State(String label) {
        this.label = label;
    }

    /** The spelling outside of Java: {@code half-open}. */
    @Override
    public String toString() {
        return label;
    }
}
