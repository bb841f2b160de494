package dev.fusebox.breaker;

/**
 * How a breaker finds out whether its server is back. Immutable.
 *
 * @param maxCalls so many probes may be under way at once
 * @param successesToClose so many of them must pass; one that fails opens the breaker again
 */
public record HalfOpen(int maxCalls, int successesToClose) {
    /** One call, and its success closes the breaker. */
    public static final HalfOpen ONE_PROBE = new HalfOpen(1, 1);

    /** A test is a handful of calls. */
    private static final int MOST_CALLS = 1_000;

    public HalfOpen {
        Rule.count("halfOpenMaxCalls", maxCalls, MOST_CALLS);
        Rule.count("successesToClose", successesToClose);
    }
}
