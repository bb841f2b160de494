package dev.fusebox.breaker;

/**
 * What a breaker does with calls.
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
    /** Every call is let through and counted. */
    CLOSED("closed"),
    /** Every call is refused until the cooldown is over. */
    OPEN("open"),
    /** A few probes find out whether the server is back; all others are refused. */
    HALF_OPEN("half-open"),
    /** An operator holds the breaker open until they reset it. */
    FORCED_OPEN("forced-open"),
    /** Every call is let through and counted; nothing trips. */
    DISABLED("disabled");

    private final String label;

    State(String label) {
        this.label = label;
    }

    /** The spelling that is used everywhere outside of Java: {@code half-open}. */
    @Override
    public String toString() {
        return label;
    }
}
