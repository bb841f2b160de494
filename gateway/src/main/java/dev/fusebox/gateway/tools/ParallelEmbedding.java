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

/// Embeds texts on the calling thread and on further ones. A helper with the lowest priority doubles the pace on an
/// idle
/// machine. On a busy one it gets hardly any time, and a single thread only a small share; there, several threads with
/// the caller's priority keep the pace. For one use; [#run] blocks.
final class ParallelEmbedding {
    private static final System.Logger LOG = LazyLoggers.of(ParallelEmbedding.class);

    /// Steps of niceness: the lowest priority there is.
    private static final int HELPER_STEPS = 19;

    /// For fewer texts, starting threads does not pay.
    private static final int LEAST_TEXTS = 32;

    /// With nine busy processes on two processors, so many and the caller get a fourth of the pace of an idle machine.
    private static final int MORE_THREADS = 5;

    /// The share of a processor below which the machine is busy, and the share that the threads would have if nobody
    /// else wanted two processors: then they end.
    private static final double BUSY = 0.25;

    private static final double IDLE = 0.2;

    /// Further threads may get hardly any time. After this, the caller goes on without their last texts.
    private static final Duration END_LIMIT = Duration.ofSeconds(3);

    private final Platform platform;
    private final TextBatches batches;
    private final Consumer<List<ToolText>> embed;
    private final BooleanSupplier isWanted;
    private final List<Promise<Boolean>> threads = new ArrayList<>();

    /// @param embed called by several threads
    /// @param isWanted whether to go on
    ParallelEmbedding(
            Platform platform, TextBatches batches, Consumer<List<ToolText>> embed, BooleanSupplier isWanted) {
        this.platform = platform;
        this.batches = batches;
        this.embed = embed;
        this.isWanted = isWanted;
    }

    /// Returns false if the texts are no longer wanted. A text may be missing if another thread has failed or is late.
    boolean run() throws InterruptedException {
        if (batches.texts() < LEAST_TEXTS) {
            return embedAll(share -> false);
        }
        start("fusebox-search-helper", () -> {
            platform.processes().lowerPriority(HELPER_STEPS);
            embedAll(share -> false);
        });
        boolean isWhole = embedAll(share -> {
            if (share < BUSY && threads.stream().skip(1).allMatch(thread -> thread.now() != null)) {
                startMore();
            }
            return false;
        });
        long end = platform.ticker().nanos() + END_LIMIT.toNanos();
        for (Promise<Boolean> thread : threads) {
            thread.await(
                    platform,
                    Duration.ofNanos(Math.max(0, end - platform.ticker().nanos())));
        }
        return isWhole;
    }

    private void startMore() {
        for (int i = 0; i < MORE_THREADS; i++) {
            start("fusebox-search-" + i, () -> embedAll(share -> share > IDLE));
        }
    }

    private interface AfterBatch {
        /// Whether the thread has done enough.
        ///
        /// @param share its share of a processor during the batch
        boolean isEnough(double share);
    }

    /// Embeds batch by batch on this thread. Returns false if the texts are no longer wanted.
    private boolean embedAll(AfterBatch afterBatch) {
        for (List<ToolText> batch = batches.next(); batch != null; batch = batches.next()) {
            if (!isWanted.getAsBoolean()) {
                return false;
            }
            long begun = platform.ticker().nanos();
            long used = platform.processes().processorNanos();
            embed.accept(batch);
            double spent = Math.max(1, platform.ticker().nanos() - begun);
            if (used >= 0 && afterBatch.isEnough((platform.processes().processorNanos() - used) / spent)) {
                return true;
            }
        }
        return true;
    }

    private void start(String name, Runnable work) {
        Promise<Boolean> done = new Promise<>();
        try {
            Thread.ofPlatform().daemon().name(name).start(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error failed) {
                    // The caller embeds what is missing afterwards, and reports what fails there too.
                    LOG.log(Level.DEBUG, "a further embedding thread has failed: " + failed);
                } finally {
                    done.complete(true);
                }
            });
            threads.add(done);
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.DEBUG, "no further embedding thread: " + noThread);
        }
    }
}
