package dev.fusebox.config;

import java.time.Duration;
import java.util.List;

/// How a server is kept alive. Immutable.
///
/// @param isProcess whether it is a process of ours, which can be started again
/// @param crashes how many within which time are too many
/// @param restartDelays the wait before a process is started again that ended soon, the first time, the second
/// ...; the
///     last one serves all that follow
/// @param polls when it is checked while it is idle
/// @param restarts whether it is started again by itself at all, or by its next call only
public record LifecycleSettings(
        boolean isProcess, Crashes crashes, List<Duration> restartDelays, Polls polls, boolean restarts) {
    /// A process that has lived so long did not end because of how it was started.
    public static final Duration LONG_LIFE = Duration.ofMinutes(1);

    /// What it offers could not be read: tried again after this, and twice as long each time.
    public static final Duration FIRST_REREAD = Duration.ofSeconds(5);

    public static final Duration LONGEST_REREAD = Duration.ofMinutes(5);

    public static final Duration LONGEST_SELF_PROBE = Duration.ofHours(4);

    public LifecycleSettings {
        restartDelays = List.copyOf(restartDelays);
    }

    /// Too many crashes. Immutable.
    ///
    /// @param most 0 if they are not counted
    /// @param stops whether a server that has crashed too often refuses calls; otherwise its next call starts it
    public record Crashes(int most, Duration window, boolean stops) {
        /// The next call starts a server that has crashed too often.
        public Crashes(int most, Duration window) {
            this(most, window, false);
        }
    }

    /// Times of looking after it. Immutable.
    ///
    /// @param health of a remote server that is down
    /// @param ping of any that is connected and has nothing to do, sooner or later by a tenth; zero for never
    /// @param self of a process that was given up: then, and after twice as long each time
    /// @param limit how long it has to answer
    public record Polls(Duration health, Duration ping, Duration self, Duration limit) {
        /// The same for a process that is to be there whenever it is needed: it is looked after like a server
        /// elsewhere.
        public Polls ofKept() {
            return ping.isZero() ? new Polls(health, health, self, limit) : this;
        }
    }

    /// As it is without configuration.
    public static LifecycleSettings usual(boolean isProcess) {
        Polls polls = new Polls(Duration.ofMinutes(3), Duration.ZERO, Duration.ofMinutes(15), Duration.ofSeconds(2));
        return new LifecycleSettings(
                isProcess,
                new Crashes(3, Duration.ofMinutes(5)),
                List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(15)),
                polls);
    }

    /// One that is started again by itself.
    public LifecycleSettings(boolean isProcess, Crashes crashes, List<Duration> restartDelays, Polls polls) {
        this(isProcess, crashes, restartDelays, polls, true);
    }

    /// The same, started by its calls only.
    public LifecycleSettings withoutRestarts() {
        return new LifecycleSettings(isProcess, crashes, restartDelays, polls, false);
    }

    /// The same with other bounds for crashes.
    public LifecycleSettings with(Crashes other) {
        return new LifecycleSettings(isProcess, other, restartDelays, polls, restarts);
    }

    /// The same with other waits before a restart.
    public LifecycleSettings withDelays(List<Duration> other) {
        return new LifecycleSettings(isProcess, crashes, other, polls, restarts);
    }

    /// The same with other times of looking after it.
    public LifecycleSettings with(Polls other) {
        return new LifecycleSettings(isProcess, crashes, restartDelays, other, restarts);
    }
}
