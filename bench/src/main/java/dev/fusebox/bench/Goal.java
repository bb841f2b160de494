package dev.fusebox.bench;

import java.util.List;

/// A performance goal for one kind of call. Immutable.
///
/// @param what the call, in words
/// @param ours the benchmark of it
/// @param peers those with which it is compared; the fastest counts
/// @param atOne the largest good ratio with one thread; infinite where the figure is only reported
/// @param atTwo the same with two threads on one breaker; NaN where two threads say nothing
/// @param bytes the most that a call may allocate; infinite where that is only reported
record Goal(String what, String ours, List<String> peers, double atOne, double atTwo, double bytes) {
    /// Allocation is measured for a whole iteration: what the harness allocates in it is a fraction of a byte a
    /// call.
    private static final double ROUNDING = 0.5;

    static final double ANY = Double.POSITIVE_INFINITY;
    static final double NOT_ASKED = Double.NaN;

    private static final List<String> COUNTING = List.of(
            "Consecutive.resilience4jLocking",
            "Consecutive.resilience4jLockFree",
            "Consecutive.resilience4jCall",
            "Consecutive.failsafe",
            "Consecutive.failsafeCall");

    private static final List<String> TIMED =
            List.of("Window.resilience4jLocking", "Window.resilience4jLockFree", "Window.failsafe");

    private static final List<String> YES_OR_NO = List.of("Refusal.failsafe", "Refusal.resilience4j");
    private static final List<String> WITH_TIME = List.of("Refusal.failsafeWithTime");
    private static final List<String> THROWN = List.of("Refusal.resilience4jException");

    /// How much slower a breaker may be after ten million calls: what two runs of the same code differ by.
    private static final double AS_BEFORE = 1.2;

    static final List<Goal> ALL = List.of(
            new Goal("`call`, failures in a row", "Consecutive.oursCall", COUNTING, 0.4, 0.12, 0),
            new Goal("permit, failures in a row", "Consecutive.oursPermit", COUNTING, 0.8, 0.25, 32),
            new Goal("`call`, time window", "Window.oursCall", TIMED, 0.9, 0.4, 0),
            new Goal("permit, time window", "Window.oursPermit", TIMED, 0.9, 0.4, 32),
            new Goal("`call`, time window with slow calls", "Window.oursSlowCall", TIMED, ANY, ANY, ANY),
            new Goal("permit, time window with slow calls", "Window.oursSlowPermit", TIMED, ANY, ANY, ANY),
            new Goal("refusal, against a yes or no", "Refusal.ours", YES_OR_NO, 1.3, 1.3, 24),
            new Goal("refusal that tells the time", "Refusal.oursWithTime", WITH_TIME, 0.65, 0.65, ANY),
            new Goal("refusal that is thrown", "Refusal.oursException", THROWN, ANY, ANY, ANY),
            aged("permit, failures in a row", "Growth.consecutive."),
            aged("permit, time window", "Growth.window."),
            aged("refusal", "Growth.refusal."));

    private static Goal aged(String what, String benchmark) {
        String young = benchmark + GrowthBenchmark.FEW;
        return new Goal(
                what + ", after 10^7 calls against 10^3",
                benchmark + GrowthBenchmark.MANY,
                List.of(young),
                AS_BEFORE,
                NOT_ASKED,
                ANY);
    }

    /// The largest good ratio with so many threads.
    double limit(int threads) {
        return threads == 1 ? atOne : atTwo;
    }

    boolean allowsBytes(double allocated) {
        return allocated <= bytes + ROUNDING;
    }
}
