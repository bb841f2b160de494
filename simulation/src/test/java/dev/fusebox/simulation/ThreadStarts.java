package dev.fusebox.simulation;

import java.lang.reflect.Constructor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// A machine on which no virtual threads can be started while this is switched on; running threads continue.
/// Thread-safe.
final class ThreadStarts implements Executor {
    private final ExecutorService carriers =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    /// The JDK permissions the same object for a thread whenever it continues.
    private final Set<Runnable> known = ConcurrentHashMap.newKeySet();

    private volatile boolean refuses;

    void refuse(boolean now) {
        refuses = now;
    }

    /// Runs the body, and everything that it starts, on such a machine. Blocks for half a minute at most.
    void run(Runnable body) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(body, true);
        Class<?> type = Class.forName("java.lang.VirtualThread");
        Constructor<?> making = type.getDeclaredConstructor(Executor.class, String.class, int.class, Runnable.class);
        making.setAccessible(true);
        ((Thread) making.newInstance(this, "body", 0, task)).start();
        task.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void execute(Runnable step) {
        boolean isStart = !known.contains(step);
        if (isStart && refuses) {
            throw new RejectedExecutionException("no thread can be started");
        }
        known.add(step);
        carriers.execute(step);
    }
}
