package dev.fusebox.testkit;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Bounded waiting for the effects of other threads and processes, in tests that run in real time.
///
/// A condition is either a boolean, or an assertion that fails for as long as the condition does not hold. Prefer
/// the assertion: its last failure is shown on a timeout. An exception of a boolean condition ends the wait at
/// once; an exception of an assertion counts as a failure, because the assertion may read data that other threads
/// are writing.
///
/// Thread-safe. Every method blocks, at most for its limit plus the duration of the last check.
public final class Eventually {
    /// A loaded machine may stall for several seconds. A healthy test never waits that long.
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Most conditions hold within milliseconds.
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(2);

    /// A check may cost a call to a server, so checks become rarer when the wait is longer.
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    private static final long SECOND = 1_000;

    private static final Platform WORLD = Platform.system();

    private Eventually() {}

    /// Waits until the condition holds, at most for 30 seconds.
    ///
    /// @throws AssertionError with the description if the condition does not hold in time
    @SuppressWarnings("overloads") // a lambda either has a result or has none
    public static void eventually(String description, BooleanSupplier condition) {
        eventually(description, LIMIT, condition);
    }

    /// Waits until the assertion passes, at most for 30 seconds.
    ///
    /// @throws AssertionError with the description and the last failure if the assertion does not pass in time
    @SuppressWarnings("overloads")
    public static void eventually(String description, Runnable assertion) {
        eventually(description, LIMIT, assertion);
    }

    /// Waits until the condition holds, at most for the limit.
    ///
    /// @throws AssertionError with the description if the condition does not hold in time
    @SuppressWarnings("overloads")
    public static void eventually(String description, Duration limit, BooleanSupplier condition) {
        await(description, limit, () -> condition.getAsBoolean() ? null : new AssertionError("the condition is false"));
    }

    /// Waits until the assertion passes, at most for the limit.
    ///
    /// @throws AssertionError with the description and the last failure if the assertion does not pass in time
    @SuppressWarnings("overloads")
    public static void eventually(String description, Duration limit, Runnable assertion) {
        await(description, limit, () -> failure(assertion));
    }

    /// Checks repeatedly for the whole duration. For events that must not happen, for which no condition can wait.
    ///
    /// @throws AssertionError with the description as soon as the condition does not hold
    @SuppressWarnings("overloads")
    public static void throughout(String description, Duration duration, BooleanSupplier condition) {
        watch(
                description,
                duration,
                () -> condition.getAsBoolean() ? null : new AssertionError("the condition is false"));
    }

    /// Checks repeatedly for the whole duration. For events that must not happen, for which no condition can wait.
    ///
    /// @throws AssertionError with the description and the failure as soon as the assertion fails
    @SuppressWarnings("overloads")
    public static void throughout(String description, Duration duration, Runnable assertion) {
        watch(description, duration, () -> failure(assertion));
    }

    private static void watch(String description, Duration duration, Supplier<@Nullable Throwable> check) {
        long begun = WORLD.ticker().nanos();
        Duration elapsed = Duration.ZERO;
        while (elapsed.compareTo(duration) < 0) {
            Throwable failure = check.get();
            elapsed = Duration.ofNanos(WORLD.ticker().nanos() - begun);
            if (failure != null) {
                throw new AssertionError(
                        "not for %s: %s; ended after %s: %s"
                                .formatted(text(duration), description, text(elapsed), failure.getMessage()),
                        failure);
            }
            pause(description, elapsed);
        }
    }

    private static void await(String description, Duration limit, Supplier<@Nullable Throwable> check) {
        long begun = WORLD.ticker().nanos();
        for (int looks = 1; ; looks++) {
            Throwable failure = check.get();
            Duration elapsed = Duration.ofNanos(WORLD.ticker().nanos() - begun);
            if (failure == null) {
                return;
            }
            if (elapsed.compareTo(limit) >= 0) {
                throw new AssertionError(
                        "not within %s: %s; checked %d times, last: %s"
                                .formatted(text(limit), description, looks, failure.getMessage()),
                        failure);
            }
            pause(description, elapsed);
        }
    }

    private static @Nullable Throwable failure(Runnable assertion) {
        try {
            assertion.run();
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }

    private static void pause(String description, Duration elapsed) {
        Duration tenth = elapsed.dividedBy(10);
        Duration longEnough = tenth.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : tenth;
        try {
            WORLD.pause(longEnough.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longEnough);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting: " + description, e);
        }
    }

    private static String text(Duration limit) {
        return limit.toMillis() % SECOND == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }
}
