package dev.fusebox.platform;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Everything a program takes from outside itself. Made once in `main` and passed down by constructors.
///
/// Thread-safe as long as its members are, and those of [#system()] are. Only [#await] and [#pause] block.
///
/// It will get more members. So ask for a whole one ([#system()], or a test's) and exchange what has to be
/// different with the `with` methods; the constructor is for those who supply every member, and stops compiling
/// when there is a new one to think about.
///
/// @param ticker monotonic clock: the only clock for intervals
/// @param wallClock time of day: to print, and to compare with other people's times of day
/// @param random for jitter and choices; not for secrets
/// @param timers every wait with a limit
/// @param environment the variables of the process
/// @param processes starting programs, and ending them
/// @param peerUsers the users behind connections within this machine
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

    /// The real one. It has no thread and nothing to close.
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

    /// Waits until `ready` says yes, at most for `limit`; tells whether it did.
    ///
    /// `ready` is asked before the first wait, after every wake-up, and once more after the limit. It runs on the
    /// calling thread and must not block. How to wake a waiting thread:
    ///
    /// 1. The waiting thread makes itself known (a volatile field, a concurrent queue) before it calls this
    ///    method.
    /// 2. The waking thread first makes `ready` true, then unparks that thread.
    /// 3. An unpark may come after the wait has ended. It then ends the thread's next park too early. Here
    ///    that costs one more look at the condition; whoever parks without such a loop is broken by it.
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

    /// Waits for the whole duration, whatever wakes the thread before, unless it is interrupted.
    public void pause(Duration duration) throws InterruptedException {
        await(duration, () -> false);
    }

    /// The same platform with another source of random numbers.
    public Platform withRandom(RandomGenerator other) {
        return new Platform(ticker, wallClock, other, timers, environment, processes, peerUsers);
    }

    /// The same platform with other environment variables.
    public Platform withEnvironment(Map<String, String> other) {
        return new Platform(ticker, wallClock, random, timers, other, processes, peerUsers);
    }

    /// The same platform with other processes.
    public Platform withProcesses(Processes other) {
        return new Platform(ticker, wallClock, random, timers, environment, other, peerUsers);
    }

    /// The same platform with other users behind its connections.
    public Platform withPeerUsers(PeerUsers other) {
        return new Platform(ticker, wallClock, random, timers, environment, processes, other);
    }

    /// Names of the members only: an environment holds secrets.
    @Override
    public String toString() {
        return "Platform[" + timers.getClass().getSimpleName() + ", " + environment.size() + " variables]";
    }
}
