package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Policies with a name: the numbers of three known breakers, and profiles for five kinds of tools. */
public enum Preset {
    METAMCP(consecutive(5, 30, 60)),
    OPENAB(consecutive(3, 60, 60)),
    NEUROLINK(window(5, 60, 3, 60)),
    FAST_API(window(5, 30, 2, 10)),
    DATABASE(window(3, 60, 3, 30)),
    LONG_RUNNING(window(5, 120, 1, 120)),
    FLAKY(window(10, 30, 5, 15)),
    STDIO_COLD_START(window(5, 60, 3, 60));

    private final BreakerPolicy policy;

    Preset(BreakerPolicy policy) {
        this.policy = policy;
    }

    public BreakerPolicy policy() {
        return policy;
    }

    /** The preset of a label such as {@code stdio-cold-start}. */
    public static Optional<Preset> labelled(String label) {
        return Arrays.stream(values())
                .filter(preset -> preset.toString().equals(label))
                .findFirst();
    }

    /** The spelling that configuration uses: {@code fast-api}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static BreakerPolicy consecutive(int failures, int cooldownSeconds, int timeoutSeconds) {
        return new BreakerPolicy(
                new TripRule.Consecutive(failures),
                Cooldown.fixed(Duration.ofSeconds(cooldownSeconds)),
                HalfOpen.ONE_PROBE,
                Duration.ofSeconds(timeoutSeconds));
    }

    private static BreakerPolicy window(int failures, int cooldownSeconds, int probes, int timeoutSeconds) {
        return new BreakerPolicy(
                TripRule.SlidingWindow.of(Duration.ofSeconds(300), 10, failures),
                Cooldown.fixed(Duration.ofSeconds(cooldownSeconds)),
                new HalfOpen(probes, probes),
                Duration.ofSeconds(timeoutSeconds));
    }
}
