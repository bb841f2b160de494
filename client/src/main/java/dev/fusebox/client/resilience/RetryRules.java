package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Backoff;
import java.time.Duration;
import java.util.List;

/// How often a call is tried, and what lies between. Immutable.
///
/// @param attempts the first one counted
/// @param backoff how long to wait before each further one
/// @param budgetRatio how many retries there may be for a call, over all calls
/// @param freshProcess whether a further attempt needs a new process, which anything that may have run is tried on
/// only once, and only for a server that is vital or has not been started again before
/// @param vital whether the server is
public record RetryRules(int attempts, Backoff backoff, double budgetRatio, boolean freshProcess, boolean vital) {
    private static final List<Duration> WAITS =
            List.of(Duration.ofMillis(500), Duration.ofMillis(1000), Duration.ofMillis(2000));

    /// A wait is at least half of what it may be, so that callers who failed together do not come back together.
    private static final double LEAST_SHARE = 0.5;

    private static final int ATTEMPTS = 3;
    private static final double BUDGET = 0.1;

    /// How it is without configuration.
    public static RetryRules usual(boolean remote) {
        return of(ATTEMPTS, WAITS, BUDGET, remote);
    }

    /// As a configuration says it.
    public static RetryRules of(int attempts, List<Duration> waits, double budgetRatio, boolean remote) {
        return new RetryRules(attempts, new Backoff(waits, LEAST_SHARE), budgetRatio, !remote, false);
    }

    /// The same for a vital server, or for one that is not.
    public RetryRules forVital(boolean other) {
        return new RetryRules(attempts, backoff, budgetRatio, freshProcess, other);
    }
}
