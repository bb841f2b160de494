package dev.fusebox.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Does one task many times at once, on virtual threads.
final class Crew {
    private Crew() {}

    /// The task, told its number.
    @FunctionalInterface
    interface Task {
        void run(int number) throws Exception;
    }

    /// Waits for all; throws what the first failing one threw.
    static void run(int count, Task task) throws InterruptedException {
        var failure = new AtomicReference<@Nullable Throwable>();
        var left = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread.ofVirtual().start(() -> runOne(task, number, failure, left));
        }
        if (!left.await(100, TimeUnit.SECONDS)) {
            throw new AssertionError(left.getCount() + " of " + count + " have not ended in 100 s", failure.get());
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
