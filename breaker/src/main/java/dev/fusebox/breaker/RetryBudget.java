package dev.fusebox.breaker;

import java.util.concurrent.atomic.LongAdder;

/**
 * The limit of retries to a small share of the calls, so that retries cannot overload a failing server. Thread-safe;
 * nothing blocks.
 *
 * <p>A token bucket: it starts with some tokens, gains a fraction of a token with every call and some tokens every
 * second, up to its cap. A retry takes one token. Gains are added when a caller requests a retry; until then a call
 * costs one striped addition.
 */
public final class RetryBudget {
    /** Sums of fractions may be slightly too small: ten times 0.1 is 0.9999999999999999. */
    private static final double ROUNDING = 1e-6;

    private final Rules rules;
    private final Ticker ticker;
    private final LongAdder calls = new LongAdder();
    private double tokens;
    private long callsSettled;
    private long settledAt;

    /**
     * How a budget grows. Immutable.
     *
     * @param initial tokens to begin with
     * @param perCall tokens that a call adds: 0.1 allows one retry for ten calls
     * @param perSecond tokens that a second adds, so that a client with few calls may also retry
     * @param cap the maximum number of tokens
     */
    public record Rules(double initial, double perCall, double perSecond, double cap) {
        private static final double MOST = 1_000_000;

        public Rules {
            Rule.between("perCall", perCall, 0, 1);
            Rule.between("perSecond", perSecond, 0, MOST);
            Rule.between("cap", cap, 1, MOST);
            Rule.between("initial", initial, 0, cap);
        }

        /** Ten tokens at the start, a tenth for each call, one every second, at most a hundred. */
        public static Rules defaults() {
            return new Rules(10, 0.1, 1, 100);
        }
    }

    public RetryBudget() {
        this(Rules.defaults(), Surroundings.system().ticker());
    }

    public RetryBudget(Rules rules, Ticker ticker) {
        this.rules = rules;
        this.ticker = ticker;
        this.tokens = rules.initial();
        this.settledAt = ticker.nanos();
    }

    /** Records a call, but not its retries. */
    public void called() {
        calls.increment();
    }

    /** Takes a token; false if there is none, and the retry must not be made. */
    public synchronized boolean tryRetry() {
        settle();
        if (tokens < 1 - ROUNDING) {
            return false;
        }
        tokens = Math.max(0, tokens - 1);
        return true;
    }

    /** The number of retries that are possible now. */
    public synchronized double tokens() {
        settle();
        return tokens;
    }

    private void settle() {
        long now = ticker.nanos();
        long callsNow = calls.sum();
        double gained = (callsNow - callsSettled) * rules.perCall() + (now - settledAt) / 1e9 * rules.perSecond();
        tokens = Math.min(rules.cap(), tokens + gained);
        callsSettled = callsNow;
        settledAt = now;
    }
}
