package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The timeout of a call, and the executor of its timer. Immutable. */
record Limit(Duration timeout, ScheduledExecutorService timer) {
    Limit {
        Rule.time("timeout", timeout);
        Objects.requireNonNull(timer, "timer");
    }

    /** How long a probe with this limit may hold its permit. */
    Duration lease() {
        return BreakerPolicy.leaseOf(timeout);
    }

    Future<?> alarm(Runnable action) {
        return timer.schedule(action, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    TimeoutException exceeded() {
        return new TimeoutException("no result within " + timeout.toMillis() + " ms");
    }

    Verdict verdict(TimeoutException exceeded) {
        return Verdict.failure(Verdict.TIMEOUT, exceeded);
    }
}
