package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.TripRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// The rules of one call pipeline. Immutable.
///
/// @param server name of the server for breakers and messages
/// @param breaker policy of the server's breaker
/// @param tools rules of the tools' breakers
/// @param retry rules of retries
/// @param limits bounds on running and queued calls
/// @param ping time limit of a health check
public record PipelineRules(
        String server,
        BreakerPolicy breaker,
        Tools tools,
        RetryRules retry,
        FairBulkhead.Limits limits,
        Duration ping,
        int instance) {
    private static final Duration PING = Duration.ofSeconds(2);
    private static final FairBulkhead.Limits LIMITS = new FairBulkhead.Limits(1000, 1000, 64L << 20);

    /// The default rules.
    ///
    /// @param remote whether the server is reached over a network
    public static PipelineRules of(String server, boolean remote) {
        return new PipelineRules(
                server, BreakerPolicy.defaults(), Tools.USUAL, RetryRules.usual(remote), LIMITS, PING, 1);
    }

    /// The rules of the breakers of single tools. Immutable.
    ///
    /// @param enabled whether tools have breakers
    /// @param policy of each tool's breaker
    /// @param countErrors whether a result with `isError` counts, or only timeouts and crashes do
    /// @param crashThreshold how many crashes of its server in a row open a tool's breaker; 0 if every crash
    ///     counts for the server
    public record Tools(boolean enabled, BreakerPolicy policy, boolean countErrors, int crashThreshold) {
        private static final int CRASHES = 3;
        /// With many calls, three of a few crashes in a hundred calls come one after the other by chance.
        private static final int MORE_IF_PROVEN = 2;

        /// The default: trips after five timeouts or three crashes in a row, or when half of five or more calls
        /// within five minutes fail; cooldown of half a minute, one probe.
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

        /// The trip rule of a tool's breaker: by a share of the calls in a window, or by consecutive failures
        /// of one kind.
        ///
        /// @param timeouts consecutive calls without an answer, or with an error where errors count
        /// @param crashes consecutive crashes, two more if the tool has answered in the window; 0 if they count
        ///     for the server
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
        return new PipelineRules(server, other, tools, retry, limits, ping, instance);
    }

    public PipelineRules with(Tools other) {
        return new PipelineRules(server, breaker, other, retry, limits, ping, instance);
    }

    public PipelineRules with(RetryRules other) {
        return new PipelineRules(server, breaker, tools, other, limits, ping, instance);
    }

    public PipelineRules with(FairBulkhead.Limits other) {
        return new PipelineRules(server, breaker, tools, retry, other, ping, instance);
    }

    /// The same rules with another time limit of a health check.
    public PipelineRules withPing(Duration other) {
        return new PipelineRules(server, breaker, tools, retry, limits, other, instance);
    }

    /// The same rules for another process or address of the server of this name, with breakers of its own.
    public PipelineRules ofInstance(int other) {
        return new PipelineRules(server, breaker, tools, retry, limits, ping, other);
    }

    /// The name of the server among breakers.
    String breakerName() {
        return instance == 1 ? server : server + "@" + instance;
    }
}
