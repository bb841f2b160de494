package dev.fusebox.breaker;

import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps retries a small share of the calls, so that retrying cannot drown a server that is down. Thread-safe; nothing
 * blocks.
 *
 * <p>A bucket of tokens: it starts with some, gains a share of a token with every call and some with every second,
 * holds no more than its cap, and a retry takes one. Gains are settled when a caller wants to retry; until then a call
 * costs one striped addition.
 */
public final class RetryBudget {
    /** Sums of shares end a little below the whole: ten times 0.1 is 0.9999999999999999. */
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
     * @param perSecond tokens that a second adds, so that a quiet client may retry, too
     * @param cap the most that is saved up
     */
    public record Rules(double initial, double perCall, double perSecond, double cap) {
        private static final double MOST = 1_000_000;

        public Rules {
            Rule.between("perCall", perCall, 0, 1);
            Rule.between("perSecond", perSecond, 0, MOST);
            Rule.between("cap", cap, 1, MOST);
            Rule.between("initial", initial, 0, cap);
        }

        /** Ten to begin with, a tenth a call, one a second, never more than a hundred. */
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

    /** Notes a call; not its retries. */
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

    /** Retries that may be made at this moment. */
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
