package dev.fusebox.platform;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// The interfaces to everything that a program takes from outside. Made once in `main` and passed down by
/// constructors.
///
/// Thread-safe if its components are, and those of [#system()] are. Only [#await] and [#pause] block.
///
/// More components may be added. So take a complete instance ([#system()], or a test's) and replace components
/// with the `with` methods; code that calls the constructor supplies every component and stops compiling when
/// there is a new one.
///
/// @param ticker monotonic clock: the only clock for intervals
/// @param wallClock time of day: to print, and to compare with times of day from other systems
/// @param random for jitter and choices; not for secrets
/// @param timers all waiting with a limit
/// @param environment the variables of the process
/// @param processes starting and ending programs
/// @param peerUsers the users behind local connections
public record Platform(
        Ticker ticker,
        InstantSource wallClock,
        RandomGenerator random,
        Timers timers,
        Map<String, String> environment,
        Processes processes,
        PeerUsers peerUsers) {

    public Platform {
        environment = Map.copyOf(environment);
    }

    /// The real platform. It has no thread and nothing to close.
    public static Platform system() {
        return new Platform(
                System::nanoTime,
                InstantSource.system(),
                new SystemRandom(),
                new SystemTimers(System::nanoTime),
                System.getenv(),
                Processes.system(),
                PeerUsers.system());
    }

    /// Waits until `ready` returns true, at most for `limit`; returns whether it did.
    ///
    /// `ready` is called before the first wait, after every wake-up, and once more after the limit. It runs on the
    /// calling thread and must not block. How to wake a waiting thread:
    ///
    /// 1. The waiting thread makes itself known (a volatile field, a concurrent queue) before it calls this
    ///    method.
    /// 2. The waking thread first makes `ready` true, then unparks that thread.
    /// 3. An unpark may come after the wait has ended. It then ends the thread's next park too early. Here that
    ///    costs one more check of the condition; code that parks without such a loop breaks.
    ///
    /// Throws InterruptedException if the thread is interrupted while `ready` is still false.
    public boolean await(Duration limit, BooleanSupplier ready) throws InterruptedException {
        long nanos = Durations.nanos(limit);
        long start = ticker.nanos();
        while (!ready.getAsBoolean()) {
            long left = nanos - (ticker.nanos() - start);
            if (left <= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted with " + Duration.ofNanos(left) + " left to wait");
            }
            timers.park(left);
        }
        return true;
    }

    /// Waits for the whole duration, even if the thread is woken earlier, unless it is interrupted.
    public void pause(Duration duration) throws InterruptedException {
        await(duration, () -> false);
    }

    /// A copy with another source of random numbers.
    public Platform withRandom(RandomGenerator other) {
        return new Platform(ticker, wallClock, other, timers, environment, processes, peerUsers);
    }

    /// A copy with other environment variables.
    public Platform withEnvironment(Map<String, String> other) {
        return new Platform(ticker, wallClock, random, timers, other, processes, peerUsers);
    }

    /// A copy with other processes.
    public Platform withProcesses(Processes other) {
        return new Platform(ticker, wallClock, random, timers, environment, other, peerUsers);
    }

    /// A copy with another lookup of connection users.
    public Platform withPeerUsers(PeerUsers other) {
        return new Platform(ticker, wallClock, random, timers, environment, processes, other);
    }

    /// Without the values: an environment contains secrets.
    @Override
    public String toString() {
        return "Platform[" + timers.getClass().getSimpleName() + ", " + environment.size() + " variables]";
    }
}
