package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Named policies: the values of known breakers, without extra probes, and profiles for five kinds of tools. Those that
 * count in a window of five minutes do not trip before it holds ten calls.
 */
public enum Preset {
    /** Five failures in a row, 30 s, one probe: the values of MetaMCP. */
    METAMCP(consecutive(5, 30, 60)),
    /** Three failures in a row, 60 s, one probe: the values of OpenAB. */
    OPENAB(consecutive(3, 60, 60)),
    /** Five failures of ten or more calls in five minutes, 60 s, three probes: the values of NeuroLink. */
    NEUROLINK(withoutExtraCalls(window(5, 60, 3, 60))),
    /** The default values: DeployStack has no breaker. It stops servers that crash too often. */
    DEPLOYSTACK(BreakerPolicy.defaults()),
    /** For web APIs: five failures, 30 s, two probes, calls of up to 10 s. */
    FAST_API(window(5, 30, 2, 10)),
    /** For queries: three failures, 60 s, three probes, calls of up to 30 s. */
    DATABASE(window(3, 60, 3, 30)),
    /** For analyses: five failures, 120 s, one probe, calls of up to 120 s. */
    LONG_RUNNING(window(5, 120, 1, 120)),
    /** For services that fail often: ten failures, 30 s, five probes, calls of up to 15 s. */
    FLAKY(window(10, 30, 5, 15)),
    /** For child processes that start slowly: five failures, 60 s, three probes, calls of up to 60 s. */
    STDIO_COLD_START(window(5, 60, 3, 60));

    private final BreakerPolicy policy;

    Preset(BreakerPolicy policy) {
        this.policy = policy;
    }

    public BreakerPolicy policy() {
        return policy;
    }

    /** The preset with a label such as {@code stdio-cold-start}. */
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
                HalfOpen.ONE_PROBE.withoutExtraCalls(),
                Duration.ofSeconds(timeoutSeconds));
    }

    private static BreakerPolicy window(int failures, int cooldownSeconds, int probes, int timeoutSeconds) {
        return new BreakerPolicy(
                TripRule.SlidingWindow.of(Duration.ofSeconds(300), 10, failures),
                Cooldown.fixed(Duration.ofSeconds(cooldownSeconds)),
                new HalfOpen(probes, probes),
                Duration.ofSeconds(timeoutSeconds));
    }

    private static BreakerPolicy withoutExtraCalls(BreakerPolicy policy) {
        return policy.with(policy.halfOpen().withoutExtraCalls());
    }
}
