package dev.fusebox.gateway.config;

import dev.fusebox.breaker.Preset;
import dev.fusebox.gateway.config.ValueType.Choice;
import dev.fusebox.gateway.config.ValueType.Decimal;
import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of `breaker`. The bounds are those of the breaker's policies.
final class BreakerKeys {
    private static final long MOST_CALLS = 1_000_000;
    private static final long MOST_PROBES = 1_000;
    /// A window is a ring of ten buckets of at least a millisecond.
    private static final long SHORTEST_WINDOW = 10;

    static final ConfigKey<Preset> PRESET = ConfigKey.of(
            "preset",
            Choice.of(Preset.values(), Preset::toString),
            "Numbers with a name, where no key here, or in `breaker` of the file, says otherwise.");
    static final ConfigKey<TripMode> MODE = ConfigKey.of(
            "mode",
            Choice.of(TripMode.values(), TripMode::word),
            "\"consecutive\"",
            "What trips it: failures in a row, or what a window of time holds.");
    static final ConfigKey<Long> FAILURE_THRESHOLD = ConfigKey.of(
                    "failureThreshold",
                    new Whole(1, MOST_CALLS),
                    "5",
                    "So many failures trip it. `null`: in a window their number does not matter.")
            .orNull();
    static final ConfigKey<Long> COOLDOWN_MS =
            ConfigKey.of("cooldownMs", DurationBounds.MILLIS, "30000", "How long it stays open after the first trip.");
    static final ConfigKey<Double> COOLDOWN_GROWTH = ConfigKey.of(
            "cooldownGrowth",
            new Decimal(1, 100, false),
            "2",
            "Each further trip in a row multiplies the cooldown by this; 1 keeps it.");
    static final ConfigKey<Long> MAX_COOLDOWN_MS = ConfigKey.of(
            "maxCooldownMs",
            DurationBounds.MILLIS,
            "300000",
            "The longest cooldown; if left out, at least `cooldownMs`.");
    static final ConfigKey<Double> JITTER = ConfigKey.of(
            "jitter",
            new Decimal(0, 1, false),
            "0.1",
            "The largest share that chance adds to a cooldown, from the second trip in a row on.");
    static final ConfigKey<Long> WINDOW_MS = ConfigKey.of(
            "windowMs",
            new Whole(SHORTEST_WINDOW, DurationBounds.LONGEST_MILLIS),
            "300000",
            "Mode `window`: how far back it reaches.");
    static final ConfigKey<Long> MINIMUM_CALLS = ConfigKey.of(
            "minimumCalls", new Whole(1, MOST_CALLS), "10", "Mode `window`: with fewer calls in it nothing is judged.");
    static final ConfigKey<Long> HALF_OPEN_MAX_CALLS = ConfigKey.of(
            "halfOpenMaxCalls",
            new Whole(1, MOST_PROBES),
            "1",
            "After the cooldown, so many calls at once find out whether the server is back.");
    static final ConfigKey<Long> SUCCESSES_TO_CLOSE = ConfigKey.of(
            "successesToClose", new Whole(1, MOST_CALLS), "1", "So many of them must succeed to close it.");
    static final ConfigKey<Double> FAILURE_RATE = ConfigKey.of(
                    "failureRate",
                    new Decimal(0, 1, true),
                    "null",
                    "Mode `window`: such a share of failures trips it as well; 0.5 is one half.")
            .orNull();
    static final ConfigKey<Long> SLOW_CALL_MS = ConfigKey.of(
                    "slowCallMs", DurationBounds.MILLIS, "null", "Mode `window`: a call that takes longer is slow.")
            .orNull();
    static final ConfigKey<Double> SLOW_CALL_RATE = ConfigKey.of(
                    "slowCallRate",
                    new Decimal(0, 1, true),
                    "null",
                    "Mode `window`: such a share of slow calls trips it as well. Goes with `slowCallMs`.")
            .orNull();

    static final List<ConfigKey<?>> ALL = List.of(
            PRESET,
            MODE,
            FAILURE_THRESHOLD,
            COOLDOWN_MS,
            COOLDOWN_GROWTH,
            MAX_COOLDOWN_MS,
            JITTER,
            WINDOW_MS,
            MINIMUM_CALLS,
            HALF_OPEN_MAX_CALLS,
            SUCCESSES_TO_CLOSE,
            FAILURE_RATE,
            SLOW_CALL_MS,
            SLOW_CALL_RATE);

    private BreakerKeys() {}
}
