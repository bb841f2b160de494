package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.SlowCalls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the policy of a breaker out of all that has a say in it. Immutable.
///
/// @param layeredSection all of `breaker`, the strongest first
/// @param home the section that is told what is wrong
record BreakerReader(LayeredSection layeredSection, ConfigSection home) {
    private static final List<ConfigKey<?>> OF_WINDOWS = List.of(
            BreakerKeys.WINDOW_MS,
            BreakerKeys.MINIMUM_CALLS,
            BreakerKeys.FAILURE_RATE,
            BreakerKeys.SLOW_CALL_MS,
            BreakerKeys.SLOW_CALL_RATE);

    /// Usual if it cannot be made; then the home was told why.
    BreakerPolicy policy(Duration callTimeout) {
        TripRule trip = tripRule();
        Cooldown cooldown = new CooldownReader(
                        layeredSection,
                        home,
                        new CooldownReader.Keys(
                                BreakerKeys.COOLDOWN_MS, BreakerKeys.COOLDOWN_GROWTH, BreakerKeys.MAX_COOLDOWN_MS))
                .cooldown(layeredSection.value(BreakerKeys.JITTER));
        if (trip == null || cooldown == null) {
            return BreakerPolicy.defaults();
        }
        return new BreakerPolicy(trip, cooldown, halfOpen(), callTimeout);
    }

    private HalfOpen halfOpen() {
        HalfOpen usual = new HalfOpen(
                Math.toIntExact(layeredSection.value(BreakerKeys.HALF_OPEN_MAX_CALLS)),
                Math.toIntExact(layeredSection.value(BreakerKeys.SUCCESSES_TO_CLOSE)));
        Preset preset = layeredSection.written(BreakerKeys.PRESET);
        boolean hasExtraCalls = preset == null || preset.policy().halfOpen().extraCalls() > 0;
        return hasExtraCalls ? usual : usual.withoutExtraCalls();
    }

    private @Nullable TripRule tripRule() {
        Long threshold = layeredSection.orUsual(BreakerKeys.FAILURE_THRESHOLD);
        return switch (layeredSection.value(BreakerKeys.MODE)) {
            case CONSECUTIVE -> consecutive(threshold);
            case WINDOW -> window(threshold);
        };
    }

    private TripRule.@Nullable Consecutive consecutive(@Nullable Long threshold) {
        for (ConfigKey<?> key : OF_WINDOWS) {
            Object written = home.written(key);
            if (written != null && !written.equals(key.usual())) {
                home.at(key).warn("means nothing as long as mode is consecutive");
            }
        }
        if (threshold == null) {
            home.at(BreakerKeys.FAILURE_THRESHOLD)
                    .error("is null, with which nothing would ever trip as long as mode is consecutive");
            return null;
        }
        return new TripRule.Consecutive(Math.toIntExact(threshold));
    }

    private @Nullable SlidingWindow window(@Nullable Long threshold) {
        Double failureRate = layeredSection.orUsual(BreakerKeys.FAILURE_RATE);
        Long slowMillis = layeredSection.orUsual(BreakerKeys.SLOW_CALL_MS);
        Double slowRate = layeredSection.orUsual(BreakerKeys.SLOW_CALL_RATE);
        if ((slowMillis == null) != (slowRate == null)) {
            ConfigKey<?> said = slowMillis == null ? BreakerKeys.SLOW_CALL_RATE : BreakerKeys.SLOW_CALL_MS;
            home.at(said).error("means nothing alone: slowCallMs and slowCallRate go together");
            return null;
        }
        if (threshold == null && failureRate == null && slowMillis == null) {
            home.at(BreakerKeys.FAILURE_THRESHOLD)
                    .error("is null, with which nothing would ever trip; a window needs failureThreshold, failureRate,"
                            + " or slowCallMs and slowCallRate");
            return null;
        }
        return new SlidingWindow(
                Duration.ofMillis(layeredSection.value(BreakerKeys.WINDOW_MS)),
                Math.toIntExact(layeredSection.value(BreakerKeys.MINIMUM_CALLS)),
                threshold == null ? null : Math.toIntExact(threshold),
                failureRate,
                slow(slowMillis, slowRate));
    }

    private static @Nullable SlowCalls slow(@Nullable Long millis, @Nullable Double rate) {
        return millis == null || rate == null ? null : new SlowCalls(Duration.ofMillis(millis), rate);
    }
}
