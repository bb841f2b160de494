package dev.fusebox.gateway.tools;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.search.ToolText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Embeds texts on the calling thread and on more threads. On an idle machine one helper doubles the pace. On a busy
/// machine two threads get too little, so more threads with the caller's priority are started. For one use; [#run]
/// blocks.
final class ParallelEmbedding {
    private static final System.Logger LOG = LazyLoggers.of(ParallelEmbedding.class);

    /// Steps of niceness below the caller. Not the lowest priority: the JVM's safepoints wait for a thread that has
    /// lost its processor.
    private static final int HELPER_STEPS = 5;

    /// The helper starts after so many batches: right after a start, the JVM's compilers and calls need the other
    /// processor.
    static final int BATCHES_BEFORE_HELPER = 12;

    /// On a busy machine, further threads start earlier; for a few texts they do not pay.
    private static final int BATCHES_BEFORE_MORE = 4;

    /// With nine busy processes on two processors, so many and the caller keep a quarter of the pace of an idle
    /// machine.
    private static final int MORE_THREADS = 7;

    /// Below this share of a processor for the caller, the machine counts as busy.
    private static final double BUSY = 0.25;

    /// Above this share of a processor, one of the further threads ends: nine threads on two idle processors have 0.22
    /// each.
    private static final double IDLE = 0.15;

    /// Other threads may get hardly any time. After this, the caller goes on without their last texts.
    private static final Duration END_LIMIT = Duration.ofSeconds(3);

    private final Platform platform;
    private final LongSupplier processorNanos;
    private final EmbeddingTask work;
    private final List<Promise<Boolean>> helper = new ArrayList<>();
    private final List<Promise<Boolean>> further = new ArrayList<>();
    private volatile boolean hasFailed;

    /// What to do. Thread-safe.
    ///
    /// @param embed called by several threads
    /// @param isWanted whether to go on
    record EmbeddingTask(TextBatches batches, Consumer<List<ToolText>> embed, BooleanSupplier isWanted) {
        /// Embeds all batches on this thread. Returns false if they are no longer wanted.
        boolean run() {
            List<ToolText> batch = next();
            while (batch != null) {
                embed.accept(batch);
                batch = next();
            }
            return isWanted.getAsBoolean();
        }

        @Nullable
        List<ToolText> next() {
            return isWanted.getAsBoolean() ? batches.next() : null;
        }
    }

    /// @param processorNanos the processor time of the calling thread; negative if it is unknown
    ParallelEmbedding(Platform platform, LongSupplier processorNanos, EmbeddingTask work) {
        this.platform = platform;
        this.processorNanos = processorNanos;
        this.work = work;
    }

    /// Returns false if the texts are no longer wanted. A text may be missing if another thread has failed or is late.
    boolean run() throws InterruptedException {
        try {
            int batches = 0;
            for (double share = embedNext(); share >= 0; share = embedNext()) {
                if (++batches == BATCHES_BEFORE_HELPER && !work.batches().isEmpty()) {
                    startHelper();
                }
                boolean areDone = further.stream().allMatch(thread -> thread.now() != null);
                boolean isWorthIt =
                        batches >= BATCHES_BEFORE_MORE && !work.batches().isEmpty();
                if (share < BUSY && areDone && !hasFailed && isWorthIt) {
                    further.clear();
                    startMore();
                }
            }
        } finally {
            // The other threads end after their batch, even if this one has failed.
            work.batches().clear();
        }
        return work.isWanted().getAsBoolean() && awaitOthers();
    }

    private void startHelper() {
        start("fusebox-search-helper", helper, () -> {
            platform.processes().lowerPriority(HELPER_STEPS);
            work.run();
        });
    }

    private boolean awaitOthers() throws InterruptedException {
        long end = platform.ticker().nanos() + END_LIMIT.toNanos();
        helper.addAll(further);
        for (Promise<Boolean> thread : helper) {
            thread.await(
                    platform,
                    Duration.ofNanos(Math.max(0, end - platform.ticker().nanos())));
        }
        return true;
    }

    private void startMore() {
        for (int i = 0; i < MORE_THREADS; i++) {
            start("fusebox-search-" + i, further, () -> {
                double share = embedNext();
                while (share >= 0 && share <= IDLE) {
                    share = embedNext();
                }
            });
        }
    }

    /// Embeds a batch. Returns this thread's share of a processor meanwhile, 1 if it is unknown; -1 if there is no
    /// batch left or it is no longer wanted.
    private double embedNext() {
        List<ToolText> batch = work.next();
        if (batch == null) {
            return -1;
        }
        long begun = platform.ticker().nanos();
        long before = processorNanos.getAsLong();
        work.embed().accept(batch);
        long after = processorNanos.getAsLong();
        double spent = Math.max(1, platform.ticker().nanos() - begun);
        return before < 0 || after < before ? 1 : (after - before) / spent;
    }

    private void start(String name, List<Promise<Boolean>> threads, Runnable task) {
        Promise<Boolean> done = new Promise<>();
        try {
            Thread.ofPlatform().daemon().name(name).start(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error failed) {
                    // The caller embeds what is missing afterwards, and reports what fails there too.
                    hasFailed = true;
                    LOG.log(Level.DEBUG, "a helper of the embedding thread has failed: " + failed);
                } finally {
                    done.complete(true);
                }
            });
            threads.add(done);
        } catch (RuntimeException | Error noThread) {
            hasFailed = true;
            LOG.log(Level.DEBUG, "no helper for the embedding thread: " + noThread);
        }
    }
}
