package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.TripRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// What one lane keeps to. Immutable.
///
/// @param server whose lane it is, as breakers and messages name it
/// @param breaker when the server counts as down
/// @param tools when a single tool does
/// @param retry what is tried again, and when
/// @param limits how many calls there may be
/// @param ping how long a server may take to give a sign of life
public record PipelineRules(
        String server,
        BreakerPolicy breaker,
        Tools tools,
        RetryRules retry,
        FairBulkhead.Limits limits,
        Duration ping) {
    private static final Duration PING = Duration.ofSeconds(2);
    private static final FairBulkhead.Limits LIMITS = new FairBulkhead.Limits(1000, 1000, 64L << 20);

    /// How it is without configuration.
    ///
    /// @param remote whether the server is reached over a network
    public static PipelineRules of(String server, boolean remote) {
        return new PipelineRules(server, BreakerPolicy.defaults(), Tools.USUAL, RetryRules.usual(remote), LIMITS, PING);
    }

    /// How tools are judged one by one. Immutable.
    ///
    /// @param enabled whether they are
    /// @param policy of each tool's breaker
    /// @param countErrors whether a result that says it is an error counts, or only silence and crashes do
    /// @param crashThreshold how many crashes of its server in a row open a tool's breaker; 0 if every crash
    ///     counts for the server
    public record Tools(boolean enabled, BreakerPolicy policy, boolean countErrors, int crashThreshold) {
        private static final int CRASHES = 3;
        /// With many calls, three of a few crashes in a hundred calls come one after the other by chance.
        private static final int MORE_IF_PROVEN = 2;

        /// Five timeouts or three crashes in a row, or half of five or more calls within five minutes; half a
        /// minute, one probe.
        public static final Tools USUAL = new Tools(
                true,
                BreakerPolicy.defaults()
                        .with(rule(TripRule.SlidingWindow.ofRate(Duration.ofMinutes(5), 5, 0.5), 5, CRASHES))
                        .with(Cooldown.growing(Duration.ofSeconds(30)))
                        .with(HalfOpen.ONE_PROBE),
                false);

        /// Three crashes in a row open a tool's breaker.
        public Tools(boolean enabled, BreakerPolicy policy, boolean countErrors) {
            this(enabled, policy, countErrors, CRASHES);
        }

        /// When a tool's breaker trips: by a share of the calls in a window, or by failures of one kind in a row.
        ///
        /// @param timeouts how many calls in a row without an answer, or with an error where errors count
        /// @param crashes how many crashes in a row, two more if the tool has answered in the window; 0 if
        ///     they count for the server
        public static TripRule rule(TripRule.SlidingWindow window, int timeouts, int crashes) {
            Map<String, Integer> streaks =
                    new HashMap<>(Map.of(CallPermits.SILENT, timeouts, CallPermits.ERROR, timeouts));
            if (crashes == 0) {
                return new TripRule.WindowOrStreak(window, streaks);
            }
            streaks.put(CallPermits.CRASHED, crashes);
            return new TripRule.WindowOrStreak(window, streaks, Map.of(CallPermits.CRASHED, crashes + MORE_IF_PROVEN));
        }
    }

    public PipelineRules with(BreakerPolicy other) {
        return new PipelineRules(server, other, tools, retry, limits, ping);
    }

    public PipelineRules with(Tools other) {
        return new PipelineRules(server, breaker, other, retry, limits, ping);
    }

    public PipelineRules with(RetryRules other) {
        return new PipelineRules(server, breaker, tools, other, limits, ping);
    }

    public PipelineRules with(FairBulkhead.Limits other) {
        return new PipelineRules(server, breaker, tools, retry, other, ping);
    }

    /// The same with another time for a sign of life.
    public PipelineRules withPing(Duration other) {
        return new PipelineRules(server, breaker, tools, retry, limits, other);
    }
}
