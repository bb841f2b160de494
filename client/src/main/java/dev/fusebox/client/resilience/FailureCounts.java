package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import java.util.concurrent.atomic.LongAdder;

/// What a server has failed at, by where that was seen: each attempt to connect, each connection, each sign of
/// life and each answer once, however many calls it ended. What says nothing about the server is not counted.
/// Thread-safe; nothing blocks.
public final class FailureCounts {
    private final LongAdder connects = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder signs = new LongAdder();
    private final LongAdder answers = new LongAdder();

    FailureCounts() {
        // Starts with none.
    }

    /// How many there were at one moment. Immutable.
    ///
    /// @param connect attempts to connect that came to nothing
    /// @param midCall connections that were lost, and answers that were none
    /// @param ping signs of life that were asked for and did not come
    /// @param http answers with a status that speaks of a broken server, such as 503
    public record Sight(long connect, long midCall, long ping, long http) {}

    Sight sight() {
        return new Sight(connects.sum(), connections.sum(), signs.sum(), answers.sum());
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

    /// @param failure that its server is to blame for
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
