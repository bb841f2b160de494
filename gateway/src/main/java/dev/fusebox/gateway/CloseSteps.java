package dev.fusebox.gateway;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// The steps that close what a gateway owns, the last added first, each of them even if others fail. Steps are
/// added by one thread, before [#close], which is thread-safe and blocks until all steps are done.
final class CloseSteps implements AutoCloseable {
    private final Deque<Step> steps = new ArrayDeque<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    /// A step that may block.
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /// Adds what was opened; returns it.
    <T extends AutoCloseable> T add(T opened) {
        steps.push(opened::close);
        return opened;
    }

    void addStep(Step step) {
        steps.push(step);
    }

    /// The first failure is thrown when all steps are done, with the others suppressed.
    @Override
    public void close() {
        if (begun.compareAndSet(false, true)) {
            try {
                runAll();
            } finally {
                done.countDown();
            }
        } else {
            awaitDone();
        }
    }

    private void runAll() {
        boolean interrupted = false;
        IllegalStateException failure = null;
        for (Step step : steps) {
            try {
                step.run();
            } catch (InterruptedException stopped) {
                interrupted = true;
            } catch (Exception broken) {
                if (failure == null) {
                    failure = new IllegalStateException("failed to close the gateway completely", broken);
                } else {
                    failure.addSuppressed(broken);
                }
            }
            // Later steps are not cut short.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void awaitDone() {
        try {
            done.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
