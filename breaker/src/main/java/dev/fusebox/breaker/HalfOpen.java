package dev.fusebox.breaker;

import java.time.Duration;

/**
 * How a breaker finds out whether its server is back. Immutable.
 *
 * <p>A probe without an answer does not keep the other calls out: after each second in which no probe was answered, one
 * more call is let in, up to {@code maxCalls + extraCalls}.
 *
 * @param maxCalls so many probes may be under way at once
 * @param successesToClose so many of them must pass; one that fails opens the breaker again
 * @param extraCalls how many more may be in flight while the first ones are unanswered; 0 for none
 */
public record HalfOpen(int maxCalls, int successesToClose, int extraCalls) {
    /** One call, up to three more while it has no answer, and the first success closes the breaker. */
    public static final HalfOpen ONE_PROBE = new HalfOpen(1, 1);

    /** Time without an answer until one more probe is let in. */
    static final Duration EXTRA_CALL_EVERY = Duration.ofSeconds(1);

    /** A test is a handful of calls. */
    private static final int MAX_CALLS = 1_000;

    private static final int USUAL_EXTRA_CALLS = 3;

    public HalfOpen {
        Rule.count("halfOpenMaxCalls", maxCalls, MAX_CALLS);
        Rule.count("successesToClose", successesToClose);
        Rule.countOrNone("extraCalls", extraCalls, MAX_CALLS);
    }

    /** With up to three extra probes. */
    public HalfOpen(int maxCalls, int successesToClose) {
        this(maxCalls, successesToClose, USUAL_EXTRA_CALLS);
    }

    /** The same without extra probes: a probe without an answer keeps its place until its lease ends. */
    public HalfOpen withoutExtraCalls() {
        return new HalfOpen(maxCalls, successesToClose, 0);
    }
}
