package dev.fusebox.gateway.config;

import dev.fusebox.client.lane.Replay;
import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;

/// The keys of `retry`.
final class RetryKeys {
    static final Kind<Replay> REPLAYS = Kind.Choice.of(Replay.values(), Replay::toString);

    static final Key<Replay> REPLAY = Key.of(
            "replay",
            REPLAYS,
            "\"safe\"",
            "Which failed calls may be made again: those that cannot have happened or do no harm twice, all, or none.");
    static final Key<Long> MAX_ATTEMPTS =
            Key.of("maxAttempts", new Whole(1, 10), "3", "How often a call is tried, the first time included.");
    static final Key<List<Long>> BACKOFF_MS = Key.of(
            "backoffMs",
            new ListKind<>(Times.MILLIS, 1, 10),
            "[500, 1000, 2000]",
            "The wait before each further attempt, times 0.5 to 1 by chance; the last one serves all that follow.");
    static final Key<Double> BUDGET_RATIO = Key.of(
            "budgetRatio",
            new Kind.Decimal(0, 1, false),
            "0.1",
            "Further attempts are at most such a share of the calls, beside a few to begin with and one a second.");

    static final List<Key<?>> ALL = List.of(REPLAY, MAX_ATTEMPTS, BACKOFF_MS, BUDGET_RATIO);

    private RetryKeys() {}
}
