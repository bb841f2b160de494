package dev.fusebox.testkit;

import java.time.Duration;

/// Limits of one run of a simulation. Immutable, thread-safe.
///
/// @param steps a run with more steps counts as endless
/// @param realTime safety net for code that blocks outside of the Platform: a run is abandoned after one to two
/// times that; never matters in a healthy run
public record Limits(int steps, Duration realTime) {
    public Limits {
        if (steps < 1) {
            throw new IllegalArgumentException("steps must be at least 1, not " + steps);
        }
        if (!realTime.isPositive()) {
            throw new IllegalArgumentException("realTime must be positive, not " + realTime);
        }
    }

    /// 100,000 steps (under a second) and 20 seconds (a loaded machine may stall for some).
    public static Limits defaults() {
        return new Limits(100_000, Duration.ofSeconds(20));
    }

    public Limits withSteps(int other) {
        return new Limits(other, realTime);
    }

    public Limits withRealTime(Duration other) {
        return new Limits(steps, other);
    }
}
