package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import java.util.concurrent.atomic.LongAdder;

/// The failure counters of a server, by where the failure was seen: each connection attempt, connection, health
/// check and answer counts once, regardless of the number of calls that it ended. Failures that give no
/// information about the server are not counted. Thread-safe; nothing blocks.
public final class FailureCounts {
    private final LongAdder connects = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder signs = new LongAdder();
    private final LongAdder answers = new LongAdder();

    FailureCounts() {
        // Counters begin at zero.
    }

    /// The counters at one moment. Immutable.
    ///
    /// @param connect failed connection attempts
    /// @param midCall lost connections and invalid answers
    /// @param ping failed health checks
    /// @param http answers with an HTTP status of a broken server, such as 503
    public record Snapshot(long connect, long midCall, long ping, long http) {}

    Snapshot snapshot() {
        return new Snapshot(connects.sum(), connections.sum(), signs.sum(), answers.sum());
    }

    void connecting(FailureCategory category) {
        add(connects, category);
    }

    void connection(FailureCategory category) {
        add(connections, category);
    }

    void sign() {
        signs.increment();
    }

    /// @param failure that is attributed to the server
    void call(CallFailure failure) {
        if (failure.evidence().extent() == Evidence.Extent.CALL) {
            add(failure.category() == FailureCategory.HTTP ? answers : connections, failure.category());
        }
    }

    private static void add(LongAdder count, FailureCategory category) {
        if (FailureAttribution.isServers(category)) {
            count.increment();
        }
    }
}
