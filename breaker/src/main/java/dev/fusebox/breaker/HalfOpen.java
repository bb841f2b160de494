package dev.fusebox.breaker;

import java.time.Duration;

/**
 * The rules of the half-open state: how a breaker tests whether its server has recovered. Immutable.
 *
 * <p>A probe without an answer does not block the other calls: after each second in which no probe was answered, one
 * more call is admitted, up to {@code maxCalls + extraCalls}.
 *
 * @param maxCalls the maximum number of concurrent probes
 * @param successesToClose the number of probes that must succeed; one that fails opens the breaker again
 * @param extraCalls how many more may be in flight while the first ones are unanswered; 0 for none
 */
public record HalfOpen(int maxCalls, int successesToClose, int extraCalls) {
    /** One call, up to three more while it has no answer, and the first success closes the breaker. */
    public static final HalfOpen ONE_PROBE = new HalfOpen(1, 1);

    /** Time without an answer until one more probe is admitted. */
    static final Duration EXTRA_CALL_EVERY = Duration.ofSeconds(1);

    /** A test consists of a few calls. */
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

    /** The same without extra probes: a probe without an answer keeps its permit until its lease ends. */
    public HalfOpen withoutExtraCalls() {
        return new HalfOpen(maxCalls, successesToClose, 0);
    }
}
