package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Decimal;
import dev.fusebox.config.ValueType.Whole;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The section `breaker`, of the file and of servers. The bounds are those of the breaker library.
final class BreakerSection {
    static final SectionType SECTION = new SectionType("breaker");

    private static final long MAX_CALLS = 1_000_000;
    private static final long MAX_PROBES = 1_000;

    /// A window is a ring of ten buckets of at least a millisecond.
    private static final long SHORTEST_WINDOW = 10;

    static final ConfigKey<BreakerPreset> PRESET = SECTION.key(
            "preset",
            Choice.of(BreakerPreset.values()),
            "",
            "A named set of values, used where neither this section nor `breaker` of the file sets a key.");
    static final ConfigKey<Boolean> MODE = SECTION.key(
            "mode",
            Choice.ofTwo("consecutive", "window"),
            "\"consecutive\"",
            "What trips the breaker: consecutive failures, or the failures in a time window.");
    static final ConfigKey<Long> FAILURE_THRESHOLD = SECTION.nullable(
            "failureThreshold",
            new Whole(1, MAX_CALLS),
            "5",
            "The number of failures that trips the breaker. `null`: in a window the number is not" + " counted.");
    static final ConfigKey<Long> COOLDOWN_MS =
            SECTION.key("cooldownMs", Whole.MILLIS, "30000", "How long the breaker stays open after the first trip.");
    static final ConfigKey<Double> COOLDOWN_GROWTH = SECTION.key(
            "cooldownGrowth",
            new Decimal(1, 100, false),
            "2",
            "Each further trip in a row multiplies the cooldown by this factor; 1 keeps it constant.");
    static final ConfigKey<Long> MAX_COOLDOWN_MS = SECTION.key(
            "maxCooldownMs", Whole.MILLIS, "300000", "The longest cooldown; if left out, at least `cooldownMs`.");
    static final ConfigKey<Double> JITTER = SECTION.key(
            "jitter",
            new Decimal(0, 1, false),
            "0.1",
            "The maximum random share that is added to a cooldown, from the second trip in a row on.");
    static final ConfigKey<Long> WINDOW_MS = SECTION.key(
            "windowMs",
            new Whole(SHORTEST_WINDOW, Whole.LONGEST_MILLIS),
            "300000",
            "Mode `window`: the length of the window.");
    static final ConfigKey<Long> MINIMUM_CALLS = SECTION.key(
            "minimumCalls",
            new Whole(1, MAX_CALLS),
            "10",
            "Mode `window`: with fewer calls in the window, the breaker does not trip.");
    static final ConfigKey<Long> HALF_OPEN_MAX_CALLS = SECTION.key(
            "halfOpenMaxCalls",
            new Whole(1, MAX_PROBES),
            "1",
            "After the cooldown, the number of concurrent calls that test whether the server has" + " recovered.");
    static final ConfigKey<Long> SUCCESSES_TO_CLOSE = SECTION.key(
            "successesToClose",
            new Whole(1, MAX_CALLS),
            "1",
            "The number of those calls that must succeed to close the breaker.");
    static final ConfigKey<Double> FAILURE_RATE = SECTION.nullable(
            "failureRate",
            new Decimal(0, 1, true),
            "null",
            "Mode `window`: this share of failures also trips the breaker; 0.5 is one half.");
    static final ConfigKey<Long> SLOW_CALL_MS =
            SECTION.nullable("slowCallMs", Whole.MILLIS, "null", "Mode `window`: a call that takes longer is slow.");
    static final ConfigKey<Double> SLOW_CALL_RATE = SECTION.nullable(
            "slowCallRate",
            new Decimal(0, 1, true),
            "null",
            "Mode `window`: this share of slow calls also trips the breaker. Requires `slowCallMs`.");

    private static final List<ConfigKey<?>> OF_WINDOWS =
            List.of(WINDOW_MS, MINIMUM_CALLS, FAILURE_RATE, SLOW_CALL_MS, SLOW_CALL_RATE);

    private BreakerSection() {}

    /// @param breaker all sections that may set a value, in order of precedence
    /// @param home the section in which errors are reported
    static BreakerConfig read(ConfigSection breaker, ConfigSection home) {
        BreakerPreset preset = breaker.written(PRESET);
        BreakerConfig.HalfOpen halfOpen = new BreakerConfig.HalfOpen(
                breaker.number(HALF_OPEN_MAX_CALLS),
                breaker.number(SUCCESSES_TO_CLOSE),
                preset == null || preset.hasExtraCalls());
        Long threshold = breaker.orUsual(FAILURE_THRESHOLD);
        BreakerConfig.Window window = null;
        if (breaker.value(MODE)) {
            window = window(threshold, breaker, home);
        } else {
            checkConsecutive(threshold, home);
        }
        boolean tripsOnShare = window != null && (window.failureRate() != null || window.slowCall() != null);
        if (threshold == null && !tripsOnShare) {
            // An error was reported; this keeps the record valid.
            threshold = 1L;
        }
        return new BreakerConfig(
                threshold == null ? null : Math.toIntExact(threshold),
                window,
                cooldown(breaker, home, breaker.value(JITTER)),
                halfOpen);
    }

    private static void checkConsecutive(@Nullable Long threshold, ConfigSection home) {
        for (ConfigKey<?> key : OF_WINDOWS) {
            Object written = home.written(key);
            if (written != null && !written.equals(key.usual())) {
                home.at(key).warn("has no effect as long as mode is consecutive");
            }
        }
        if (threshold == null) {
            home.at(FAILURE_THRESHOLD).error("is null, so the breaker would never trip as long as mode is consecutive");
        }
    }

    private static BreakerConfig.Window window(@Nullable Long threshold, ConfigSection breaker, ConfigSection home) {
        Double failureRate = breaker.orUsual(FAILURE_RATE);
        Long slowMillis = breaker.orUsual(SLOW_CALL_MS);
        Double slowRate = breaker.orUsual(SLOW_CALL_RATE);
        if ((slowMillis == null) != (slowRate == null)) {
            home.at(slowMillis == null ? SLOW_CALL_RATE : SLOW_CALL_MS)
                    .error("has no effect alone: slowCallMs and slowCallRate go together");
            slowMillis = null;
            slowRate = null;
        } else if (threshold == null && failureRate == null && slowMillis == null) {
            home.at(FAILURE_THRESHOLD)
                    .error("is null, so the breaker would never trip; a window needs failureThreshold, failureRate,"
                            + " or slowCallMs and slowCallRate");
        }
        return new BreakerConfig.Window(
                breaker.millis(WINDOW_MS),
                breaker.number(MINIMUM_CALLS),
                failureRate,
                slowMillis == null ? null : Duration.ofMillis(slowMillis),
                slowRate);
    }

    /// The cooldown of the sections `breaker` and `toolBreaker`.
    ///
    /// @param breaker all sections that may set a value, in order of precedence
    /// @param home the section in which errors are reported
    static BreakerConfig.Cooldown cooldown(ConfigSection breaker, ConfigSection home, double jitter) {
        long base = breaker.value(COOLDOWN_MS);
        double growth = breaker.value(COOLDOWN_GROWTH);
        Long written = breaker.written(MAX_COOLDOWN_MS);
        long usual = growth == 1 ? base : Math.max(base, breaker.value(MAX_COOLDOWN_MS));
        long max = written == null ? usual : written;
        if (max < base) {
            home.at(home.has(MAX_COOLDOWN_MS) ? MAX_COOLDOWN_MS : COOLDOWN_MS)
                    .error("makes maxCooldownMs, " + max + ", shorter than cooldownMs, " + base);
        }
        return new BreakerConfig.Cooldown(
                Duration.ofMillis(base), growth, Duration.ofMillis(Math.max(base, max)), jitter);
    }
}
