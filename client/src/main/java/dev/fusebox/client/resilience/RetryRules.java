package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Backoff;
import java.time.Duration;
import java.util.List;

/// The rules of retries. Immutable.
///
/// @param attempts number of attempts, the first one included
/// @param backoff delay before each further one
/// @param budgetRatio retries per call, over all calls
/// @param freshProcess whether a further attempt needs a new process; a call that may have run is then repeated
///     only once, and only if the server is vital or has not been restarted before
/// @param vital whether the server is vital
public record RetryRules(int attempts, Backoff backoff, double budgetRatio, boolean freshProcess, boolean vital) {
    private static final List<Duration> WAITS =
            List.of(Duration.ofMillis(500), Duration.ofMillis(1000), Duration.ofMillis(2000));

    /// A delay is at least half of its nominal value; jitter keeps callers that failed together from coming
    /// back together.
    private static final double LEAST_SHARE = 0.5;

    private static final int ATTEMPTS = 3;
    private static final double BUDGET = 0.1;

    /// The default rules.
    public static RetryRules usual(boolean remote) {
        return of(ATTEMPTS, WAITS, BUDGET, remote);
    }

    /// The rules for configured values.
    public static RetryRules of(int attempts, List<Duration> waits, double budgetRatio, boolean remote) {
        return new RetryRules(attempts, new Backoff(waits, LEAST_SHARE), budgetRatio, !remote, false);
    }

    /// The same rules for a server that is vital or not.
    public RetryRules forVital(boolean other) {
        return new RetryRules(attempts, backoff, budgetRatio, freshProcess, other);
    }
}
