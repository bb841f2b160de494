package dev.fusebox.gateway.tools;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.search.Embedder;
import dev.fusebox.search.ToolText;
import dev.fusebox.search.VectorStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Has the model read what somebody waits for, and what is searched now, on one thread of low priority that ends
/// when there is nothing to read. Thread-safe; only [#await] blocks.
final class EmbeddingWorker {
    private static final System.Logger LOG = LazyLoggers.of(EmbeddingWorker.class);

    /// What takes seconds to read is kept at once: whoever is served by a process of its own soon goes again.
    private static final int WORTH_KEEPING = 64;

    private static final Duration FOR_THE_DISK = Duration.ofSeconds(2);

    private final Platform platform;
    private final Model source;
    private final EmbeddingStore embeddingStore;
    private final VectorStore vectors = new VectorStore();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile @Nullable Embedder model;
    private volatile boolean isWithoutModel;
    private volatile @Nullable ToolIndexSnapshot current;

    /// These two are the reader's thread's own; of two threads one begins after the other has ended.
    private boolean hasRecalled;

    /// How many vectors have been learned since the last were kept.
    private int unkept;

    /// Where the model comes from; empty if the application was built without it.
    interface Model {
        Optional<? extends Embedder> load() throws IOException;
    }

    private record Waiting(Thread thread, ToolIndexSnapshot wanted) {}

    /// Where it has what it knows from. Immutable.
    ///
    /// @param model what it reads with
    /// @param embeddingStore what others have read
    record Sources(Model model, EmbeddingStore embeddingStore) {}

    /// @param isOff whether there is to be no model, whatever there is
    EmbeddingWorker(Platform platform, Sources sources, boolean isOff) {
        this.platform = platform;
        this.source = sources.model();
        this.embeddingStore = sources.embeddingStore();
        this.isWithoutModel = isOff;
    }

    VectorStore vectors() {
        return vectors;
    }

    /// The model by which all of it can be searched; null as long as there is none.
    @Nullable
    Embedder modelFor(ToolIndexSnapshot snapshot) {
        Embedder reader = model;
        return reader != null && snapshot.searchIndex().isWhole() ? reader : null;
    }

    /// Whether there is no model, and will be none.
    boolean isWithoutModel() {
        return isWithoutModel;
    }

    /// This is searched now, in place of what was before.
    void turnTo(ToolIndexSnapshot snapshot) {
        current = snapshot;
        start();
    }

    /// Waits until no more of it will be read, so long at most, and for as long as a caller has patience.
    void await(ToolIndexSnapshot wanted, Duration limit, Deadline deadline) throws InterruptedException {
        Waiting self = new Waiting(Thread.currentThread(), wanted);
        deadline.onChange(() -> LockSupport.unpark(self.thread()));
        waiting.add(self);
        try {
            boolean isHopeless = !start();
            long nanos = Math.min(limit.toNanos(), Math.max(1, deadline.left()));
            platform.await(
                    Duration.ofNanos(nanos),
                    () -> isHopeless || isWithoutModel || wanted.isDone() || deadline.isGivenUp());
        } finally {
            waiting.remove(self);
        }
    }

    // ---- Reading

    /// Whoever wants something says so first and looks at the reader then; the reader rests first and looks at
    /// what is wanted then: one of the two sees the other. False if nobody will read, for want of a thread.
    private boolean start() {
        if (!isWithoutModel && !isReading.get() && next() != null && isReading.compareAndSet(false, true)) {
            try {
                startThread();
            } catch (RuntimeException | Error noThread) {
                // Words can be searched without. Whoever comes next tries again.
                LOG.log(Level.WARNING, "search looks at words only for now: " + noThread);
                isReading.set(false);
                return false;
            }
        }
        return true;
    }

    private void startThread() {
        Thread.ofPlatform().daemon().name("fusebox-search").start(this::readAll);
    }

    /// What has to be read next; null if nothing has.
    private @Nullable ToolIndexSnapshot next() {
        for (Waiting each : waiting) {
            if (!each.wanted().isDone()) {
                return each.wanted();
            }
        }
        ToolIndexSnapshot now = current;
        return now == null || now.isDone() ? null : now;
    }

    private void readAll() {
        try {
            // Calls go first. What matters (that nobody waits) does not rest on it.
            platform.processes().lowerPriority();
            Embedder reader = loaded();
            recallOnce();
            for (ToolIndexSnapshot next = next(); reader != null && next != null; next = next()) {
                read(next, reader);
                wake();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error unusable) {
            isWithoutModel = true;
            LOG.log(Level.WARNING, "search looks at words only, because its model cannot be used: " + unusable);
        } finally {
            isReading.set(false);
            wake();
        }
        start();
    }

    /// What is known already need not be read. On the reader's thread only, which waits for the disk no longer
    /// than it would take to read some tools.
    private void recallOnce() throws InterruptedException {
        if (isWithoutModel || hasRecalled) {
            return;
        }
        hasRecalled = true;
        Promise<Optional<byte[]>> before = new Promise<>();
        try {
            Thread.ofPlatform().daemon().name("fusebox-recall").start(() -> before.bring(recalled()));
            Optional<byte[]> written = before.await(platform, FOR_THE_DISK);
            if (written != null && written.isPresent() && !vectors.read(written.get())) {
                LOG.log(
                        Level.WARNING,
                        "what was read of tools before is damaged, or another model's, and is read again");
            }
        } catch (RuntimeException | Error unusable) {
            LOG.log(Level.WARNING, "what was read of tools before cannot be used, and is read again: " + unusable);
        }
    }

    private Optional<byte[]> recalled() {
        try {
            return Optional.ofNullable(embeddingStore.recall());
        } catch (RuntimeException | Error unusable) {
            LOG.log(Level.WARNING, "what was read of tools before cannot be had, and is read again: " + unusable);
            return Optional.empty();
        }
    }

    /// What cannot be kept is known all the same.
    private void keep() {
        if (unkept == 0) {
            return;
        }
        try {
            embeddingStore.keep(vectors);
            unkept = 0;
        } catch (RuntimeException | Error unkeepable) {
            LOG.log(Level.WARNING, "what was read of tools is not kept for the next start: " + unkeepable);
        }
    }

    private @Nullable Embedder loaded() throws IOException {
        Embedder known = model;
        Embedder reader = known == null ? source.load().orElse(null) : known;
        isWithoutModel = reader == null;
        model = reader;
        return reader;
    }

    /// Ends early if nobody wants it any more. What was learned of it is of use to others.
    private void read(ToolIndexSnapshot snapshot, Embedder reader) {
        try {
            if (!learn(snapshot, reader)) {
                return;
            }
        } catch (OutOfMemoryError tooMuch) {
            // Nobody waits for more of it; there may be room again for the next edition.
            LOG.log(Level.WARNING, "search has no memory to read tools with at the moment: " + tooMuch);
        }
        snapshot.searchIndex().gather();
        snapshot.read();
        keep();
    }

    /// False if nobody wants it any more.
    private boolean learn(ToolIndexSnapshot snapshot, Embedder reader) {
        List<ToolText> missing = snapshot.searchIndex().missing();
        if (!missing.isEmpty()) {
            vectors.makeRoomFor(snapshot.searchIndex().toolTexts());
        }
        for (ToolText toolText : missing) {
            if (!isWanted(snapshot)) {
                return false;
            }
            unkept += vectors.learn(toolText, reader) ? 1 : 0;
            if (unkept >= Math.max(WORTH_KEEPING, vectors.size() / 8)) {
                keep();
            }
        }
        return true;
    }

    private boolean isWanted(ToolIndexSnapshot snapshot) {
        return snapshot == current || waiting.stream().anyMatch(each -> each.wanted() == snapshot);
    }

    private void wake() {
        waiting.forEach(each -> LockSupport.unpark(each.thread()));
    }
}
