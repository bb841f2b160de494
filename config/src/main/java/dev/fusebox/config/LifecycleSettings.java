package dev.fusebox.config;

import java.time.Duration;
import java.util.List;

/// The settings of a server's lifecycle. Immutable.
///
/// @param isProcess whether it is a local process, which can be restarted
/// @param crashes the crash budget
/// @param restartDelays the delays before restarts after an early exit; the last one applies to all later restarts
/// @param polls the schedule of health checks
/// @param restarts whether it is restarted automatically, or by its next call only
public record LifecycleSettings(
        boolean isProcess, Crashes crashes, List<Duration> restartDelays, Polls polls, boolean restarts) {
    /// A failure of a process that has run for this long was not caused by its start.
    public static final Duration LONG_LIFE = Duration.ofMinutes(1);

    /// The first delay after its lists could not be read; it doubles each time.
    public static final Duration FIRST_REREAD = Duration.ofSeconds(5);

    public static final Duration LONGEST_REREAD = Duration.ofMinutes(5);

    public static final Duration LONGEST_SELF_PROBE = Duration.ofHours(4);

    public LifecycleSettings {
        restartDelays = List.copyOf(restartDelays);
    }

    /// The crash budget. Immutable.
    ///
    /// @param most 0 for no limit
    /// @param stops whether a server that used up the budget rejects calls; otherwise its next call starts it
    public record Crashes(int most, Duration window, boolean stops) {
        /// With a budget after which the next call starts the server.
        public Crashes(int most, Duration window) {
            this(most, window, false);
        }
    }

    /// The schedule of health checks. Immutable.
    ///
    /// @param health for a remote server that is down
    /// @param ping for a connected and idle server, varied by a tenth; zero for never
    /// @param self for a process that used up its crash budget; doubles each time
    /// @param limit the timeout of a check
    public record Polls(Duration health, Duration ping, Duration self, Duration limit) {
        /// The schedule for a process that has to be available at any time: it is checked like a remote server.
        public Polls ofKept() {
            return ping.isZero() ? new Polls(health, health, self, limit) : this;
        }
    }

    /// The default settings.
    public static LifecycleSettings usual(boolean isProcess) {
        Polls polls = new Polls(Duration.ofMinutes(3), Duration.ZERO, Duration.ofMinutes(15), Duration.ofSeconds(2));
        return new LifecycleSettings(
                isProcess,
                new Crashes(3, Duration.ofMinutes(5)),
                List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(15)),
                polls);
    }

    /// With automatic restarts.
    public LifecycleSettings(boolean isProcess, Crashes crashes, List<Duration> restartDelays, Polls polls) {
        this(isProcess, crashes, restartDelays, polls, true);
    }

    /// The same without automatic restarts.
    public LifecycleSettings withoutRestarts() {
        return new LifecycleSettings(isProcess, crashes, restartDelays, polls, false);
    }

    /// The same with another crash budget.
    public LifecycleSettings with(Crashes other) {
        return new LifecycleSettings(isProcess, other, restartDelays, polls, restarts);
    }

    /// The same with other restart delays.
    public LifecycleSettings withDelays(List<Duration> other) {
        return new LifecycleSettings(isProcess, crashes, other, polls, restarts);
    }

    /// The same with another schedule of health checks.
    public LifecycleSettings with(Polls other) {
        return new LifecycleSettings(isProcess, crashes, restartDelays, other, restarts);
    }
}
