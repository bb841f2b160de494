package dev.fusebox.gateway.config;

import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `retry`.
final class RetryKeys {
    static final ValueType<RetrySafety> REPLAYS = ValueType.Choice.of(RetrySafety.values(), RetrySafety::toString);

    static final ConfigKey<RetrySafety> REPLAY = ConfigKey.of(
            "replay",
            REPLAYS,
            "\"safe\"",
            "Which failed calls may be made again: those that cannot have happened or do no harm twice, all, or none.");
    static final ConfigKey<Long> MAX_ATTEMPTS =
            ConfigKey.of("maxAttempts", new Whole(1, 10), "3", "How often a call is tried, the first time included.");
    static final ConfigKey<List<Long>> BACKOFF_MS = ConfigKey.of(
            "backoffMs",
            new ListType<>(DurationBounds.MILLIS, 1, 10),
            "[500, 1000, 2000]",
            "The wait before each further attempt, times 0.5 to 1 by chance; the last one serves all that follow.");
    static final ConfigKey<Double> BUDGET_RATIO = ConfigKey.of(
            "budgetRatio",
            new ValueType.Decimal(0, 1, false),
            "0.1",
            "Further attempts are at most such a share of the calls, beside a few to begin with and one a second.");

    static final List<ConfigKey<?>> ALL = List.of(REPLAY, MAX_ATTEMPTS, BACKOFF_MS, BUDGET_RATIO);

    private RetryKeys() {}
}
