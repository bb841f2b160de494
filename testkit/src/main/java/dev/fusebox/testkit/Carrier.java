package dev.fusebox.testkit;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// A daemon platform thread that does a piece of work while its caller waits, with a bound. Thread-safe; [#runs]
/// blocks.
///
/// Threads are kept for a minute and used again: a simulation is shorter than the start of a thread. One that never
/// comes back is left behind; there is no safe way to end it.
final class Carrier {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("simulation-", 0).factory());

    private Carrier() {}

    /// Does the work on another thread; false if it did not come to its end within the bound.
    static boolean runs(Runnable work, Duration bound) {
        var job = new Job(work, Thread.currentThread());
        THREADS.execute(job);
        try {
            return World.system().await(bound, () -> job.done);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a simulation ran", e);
        }
    }

    private static final class Job implements Runnable {
        private final Runnable work;
        private final Thread caller;
        private volatile boolean done;

        Job(Runnable work, Thread caller) {
            this.work = work;
            this.caller = caller;
        }

        @Override
        public void run() {
            try {
                work.run();
            } finally {
                done = true;
                LockSupport.unpark(caller);
            }
        }
    }
}
