package dev.fusebox.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs a task many times at once, on virtual threads. Thread-safe; [#run] blocks.
final class ParallelTasks {
    private ParallelTasks() {}

    /// A task that gets its number.
    @FunctionalInterface
    interface Task {
        void run(int number) throws Exception;
    }

    /// Waits for all tasks; throws the first failure.
    static void run(int count, Task task) throws InterruptedException {
        var failure = new AtomicReference<@Nullable Throwable>();
        var left = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread.ofVirtual().start(() -> runOne(task, number, failure, left));
        }
        if (!left.await(100, TimeUnit.SECONDS)) {
            throw new AssertionError(left.getCount() + " of " + count + " still running after 100 s", failure.get());
        }
        if (failure.get() != null) {
            throw new AssertionError("at least one of " + count + " failed", failure.get());
        }
    }

    private static void runOne(
            Task task, int number, AtomicReference<@Nullable Throwable> failure, CountDownLatch left) {
        try {
            task.run(number);
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        } finally {
            left.countDown();
        }
    }
}
