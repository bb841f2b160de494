package dev.fusebox.testkit;

import dev.fusebox.platform.PeerUsers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Processes;
import dev.fusebox.testkit.SimulationFailure.Finding;
import dev.fusebox.testkit.SimulationFailure.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A run of real, blocking code under a seeded scheduler and simulated time.
///
/// ```java
/// Simulation.run(42, sim -> {
///     Platform platform = sim.platform();
///     var door = new CountDownLatch(1);
///     sim.spawn("opener", () -> {
///         platform.pause(Duration.ofSeconds(30));
///         door.countDown();
///     });
///     sim.spawn("visitor", door::await);
///     sim.atEnd(() -> assertThat(sim.elapsed()).isEqualTo(Duration.ofSeconds(30)));
/// });
/// ```
///
/// The scenario runs as the first thread, `main`. One thread runs at a time, until it waits, yields or ends; the
/// next one is drawn from the seed. Simulated time moves only when no thread can run, so computation takes no
/// time, and an hour of waiting takes microseconds. The same seed always gives the same steps; the clock also
/// starts at another value for each seed, sometimes just before it wraps around.
///
/// Requirements for the simulated code:
///
/// - All time, waiting with a limit and random numbers through [#platform()]. A wait with a real limit
///   (`Thread.sleep`, `tryLock(1, SECONDS)`) fails the run. Untimed waits (latches, locks, queues, `join`) need
///   nothing.
/// - Threads are virtual ones, from [#spawn] or started by such a thread. The actions of a platform thread are
///   unknown to the seed; if it wakes a simulated thread, the run fails, or has been reported as stuck before.
/// - No waiting while holding a monitor: the JDK hands a contended monitor over on a thread and at a time of its
///   own. A thread that finds a monitor taken therefore fails the run. The same applies to `Object.wait`. Locks of
///   `java.util.concurrent` may be held while waiting.
/// - Between two waits a thread is not interrupted by others, so lock-free races inside are not found here (use
///   jcstress for them). [#giveWay] in a scenario, or `Thread.yield()` anywhere, is a point where others may run
///   first.
///
/// A run is bounded, see [Limits]. A failed run leaves its waiting threads in memory; they never run again.
///
/// Not thread-safe: for the threads of the simulation only. [#run] blocks its caller for the length of the run.
public final class Simulation {
    private final long seed;
    private final SeededScheduler scheduler;
    private final SplittableRandom random;
    private final Platform platform;
    private final List<Runnable> atEnd = new ArrayList<>();

    /// The content of a simulation: it creates objects, spawns threads, registers checks.
    @FunctionalInterface
    public interface Scenario {
        void play(Simulation sim) throws Exception;
    }

    /// The work of a thread. Any exception fails the run.
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    Simulation(long seed, Limits limits) {
        this.seed = seed;
        var source = new SplittableRandom(seed);
        this.scheduler = new SeededScheduler(source.split(), limits);
        this.random = source.split();
        SimulatedTime time = scheduler.time();
        InstantSource wall = time::instant;
        this.platform =
                new Platform(time::nanos, wall, source.split(), time, Map.of(), Processes.none(), PeerUsers.unknown());
    }

    /// Runs the scenario with the seed and the default limits.
    ///
    /// @throws SimulationFailure if anything goes wrong
    public static Trace run(long seed, Scenario scenario) {
        return run(seed, Limits.defaults(), scenario);
    }

    /// Runs the scenario with the seed and these limits.
    ///
    /// @throws SimulationFailure if anything goes wrong
    public static Trace run(long seed, Limits limits, Scenario scenario) {
        return Carrier.call(limits.realTime(), carrier -> carrier.play(new Simulation(seed, limits), scenario));
    }

    /// Runs the scenario on the calling thread, which must be a platform thread.
    Trace play(Scenario scenario) {
        scheduler.run(() -> scheduler.spawn("main", () -> scenario.play(this)));
        if (scheduler.finding() == null) {
            scheduler.check(atEnd);
        }
        Finding finding = scheduler.finding();
        if (finding != null) {
            throw new SimulationFailure(finding, seed, scheduler.trace());
        }
        return scheduler.trace();
    }

    /// Called from outside when the run takes too long: it stops at its next step, if there is one.
    SimulationFailure giveUp(String why) {
        var finding = new Finding(Reason.OUTSIDE, why + ", still busy: " + scheduler.reportRunning(), null);
        scheduler.find(finding);
        // The trace belongs to the carrier, which may be writing it.
        return new SimulationFailure(finding, seed, new Trace(List.of()));
    }

    /// The seed of this run.
    public long seed() {
        return seed;
    }

    /// The platform for the code under test.
    public Platform platform() {
        return platform;
    }

    /// Random numbers for the scenario, drawn from the seed, independent of those of the platform.
    public RandomGenerator random() {
        return random;
    }

    /// Simulated time since the start.
    public Duration elapsed() {
        return Duration.ofNanos(scheduler.time().elapsed());
    }

    /// Starts a thread. It runs at a step after the calling thread has waited, yielded or ended.
    public Thread spawn(String name, Work work) {
        return scheduler.spawn(name, work);
    }

    /// Lets other threads run first, if the seed decides so: a point at which races between two waits can be
    /// found.
    @SuppressWarnings("ThreadPriorityCheck") // our own scheduler honours it
    public void giveWay() {
        Thread.yield();
    }

    /// Runs a check after every following step. It must not wait.
    public void afterEachStep(Runnable check) {
        scheduler.afterEachStep(check);
    }

    /// Runs a check when all threads have ended.
    public void atEnd(Runnable check) {
        atEnd.add(check);
    }
}
