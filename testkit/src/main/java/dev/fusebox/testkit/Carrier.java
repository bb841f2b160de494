package dev.fusebox.testkit;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A daemon platform thread that runs simulations one after another while its caller waits and watches.
/// Thread-safe; [#call] blocks.
///
/// Threads are kept for a minute and reused, and many seeds are run in one call: a simulation is shorter than the
/// start of a thread, and on a busy machine shorter than a hand-over between two. A thread that never returns is
/// abandoned; there is no safe way to end it.
final class Carrier<T> implements Runnable {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("simulation-", 0).factory());

    private final Function<Carrier<T>, T> job;
    private final Thread caller = Thread.currentThread();
    private volatile @Nullable Simulation current;
    private volatile @Nullable T result;
    private volatile @Nullable Throwable thrown;
    private volatile boolean done;

    private Carrier(Function<Carrier<T>, T> job) {
        this.job = job;
    }

    /// Runs the job on another thread and returns its result, or throws its exception.
    ///
    /// @param bound a simulation that still runs after a whole bound is abandoned; so each has one to two
    /// @throws SimulationFailure also if a simulation was abandoned
    static <T> T call(Duration bound, Function<Carrier<T>, T> job) {
        var carrier = new Carrier<>(job);
        THREADS.execute(carrier);
        try {
            return carrier.watch(bound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            carrier.giveUp("its caller was interrupted");
            throw new IllegalStateException("interrupted while a simulation ran", e);
        }
    }

    /// Runs one simulation to its end; called by the job, on the carrier.
    Trace play(Simulation simulation, Simulation.Scenario scenario) {
        current = simulation;
        return simulation.play(scenario);
    }

    @Override
    public void run() {
        try {
            result = job.apply(this);
        } catch (RuntimeException | Error e) {
            thrown = e;
        } finally {
            done = true;
            LockSupport.unpark(caller);
        }
    }

    private T watch(Duration bound) throws InterruptedException {
        Simulation before = current;
        while (!Platform.system().await(bound, () -> done)) {
            Simulation now = current;
            if (now != null && now.equals(before)) {
                throw giveUp("no end after " + bound + " of real time");
            }
            before = now;
        }
        return outcome();
    }

    private AssertionError giveUp(String why) {
        Simulation simulation = current;
        return simulation == null ? new AssertionError(why) : simulation.giveUp(why);
    }

    private T outcome() {
        return switch (thrown) {
            case null -> Objects.requireNonNull(result);
            case SimulationFailure failure -> {
                // The caller's stack is more helpful than the carrier's.
                failure.fillInStackTrace();
                throw failure;
            }
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            case Throwable e -> throw new AssertionError(e);
        };
    }
}
