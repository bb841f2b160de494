package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Decimal;
import dev.fusebox.config.ValueType.Whole;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The section `retry`, of the file and of servers.
final class RetrySection {
    static final SectionType SECTION = new SectionType("retry");

    static final ValueType<Replay> REPLAYS = Choice.of(Replay.values());

    static final ConfigKey<Replay> REPLAY = SECTION.key(
            "replay",
            REPLAYS,
            "\"safe\"",
            "Which failed calls may be retried: those that cannot have run or are harmless when repeated"
                    + " (`safe`), all, or none.");
    static final ConfigKey<Long> MAX_ATTEMPTS = SECTION.key(
            "maxAttempts", new Whole(1, 10), "3", "The number of attempts for a call, the first one included.");
    static final ConfigKey<List<Long>> BACKOFF_MS = SECTION.key(
            "backoffMs",
            new ListType<>(Whole.MILLIS, 1, 10),
            "[500, 1000, 2000]",
            "The wait before each further attempt, multiplied by a random number from 0.5 to 1; the last"
                    + " one is used for all that follow.");
    static final ConfigKey<Double> BUDGET_RATIO = SECTION.key(
            "budgetRatio",
            new Decimal(0, 1, false),
            "0.1",
            "The largest share of retries among all calls, in addition to a few at the start and one per" + " second.");

    private RetrySection() {}

    /// @param retry the values of the server over those of the file
    /// @param ofTools the rules for single tools
    static RetryConfig read(ConfigSection retry, Map<String, Replay> ofTools) {
        return new RetryConfig(
                retry.value(REPLAY),
                retry.number(MAX_ATTEMPTS),
                retry.value(BACKOFF_MS).stream().map(Duration::ofMillis).toList(),
                retry.value(BUDGET_RATIO),
                ofTools);
    }
}
