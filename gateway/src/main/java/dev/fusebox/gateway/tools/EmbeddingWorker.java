package dev.fusebox.gateway.tools;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.search.SearchModels;
import dev.fusebox.search.ToolText;
import dev.fusebox.search.VectorStore;
import dev.fusebox.search.model.Embedder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The background thread that computes embeddings, first for snapshots that callers wait for, then for the one
/// that is searched now. It has low priority and ends when there is nothing to do; [ParallelEmbedding] adds threads.
/// Thread-safe; only [#await] blocks.
final class EmbeddingWorker {
    private static final System.Logger LOG = LazyLoggers.of(EmbeddingWorker.class);

    /// So many new vectors take seconds to compute and are stored at once: a short-lived gateway may soon exit.
    private static final int STORE_BATCH = 64;

    private static final Duration DISK_LIMIT = Duration.ofSeconds(2);

    /// Steps of niceness. Calls have precedence, but on a busy machine there must be progress too: half the share of an
    /// ordinary thread.
    private static final int WORKER_STEPS = 3;

    private final Platform platform;
    private final Model source;
    private final EmbeddingStore embeddingStore;
    private final VectorStore vectors = new VectorStore();
    private final SearchModels models;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private final AtomicBoolean isTooManyLogged = new AtomicBoolean();
    private volatile @Nullable Embedder model;
    private volatile boolean isWithoutModel;
    private volatile boolean isClosed;
    private volatile @Nullable ToolIndexSnapshot current;

    /// Confined to the worker thread; its successor starts after it has ended.
    private boolean hasLoaded;

    /// The number of vectors computed since the last time they were stored.
    private final AtomicInteger unstored = new AtomicInteger();

    /// The source of the sentence model; empty if the application was built without one.
    interface Model {
        Optional<? extends Embedder> load() throws IOException;
    }

    private record Waiting(Thread thread, ToolIndexSnapshot wanted) {}

    /// What searches use. Immutable.
    ///
    /// @param model the sentence model
    /// @param table the word table, which needs no worker; empty if there is none
    /// @param embeddingStore vectors computed in earlier runs or by other gateways
    record Sources(
            Model model, Supplier<? extends Optional<? extends Embedder>> table, EmbeddingStore embeddingStore) {}

    /// The same without stored features.
    EmbeddingWorker(Platform platform, Sources sources, boolean isOff) {
        this(platform, sources, isOff, () -> null);
    }

    /// @param isOff whether semantic search is disabled even if a model exists
    /// @param storedFeatures supplies them to the first index; null if there are none
    EmbeddingWorker(Platform platform, Sources sources, boolean isOff, Supplier<byte @Nullable []> storedFeatures) {
        this.platform = platform;
        this.source = sources.model();
        this.embeddingStore = sources.embeddingStore();
        this.isWithoutModel = isOff;
        this.models = new SearchModels(isOff ? Optional::empty : sources.table(), vectors, storedFeatures);
    }

    SearchModels models() {
        return models;
    }

    /// The model if most tools of this snapshot have their vectors; otherwise null.
    @Nullable
    Embedder modelFor(ToolIndexSnapshot snapshot) {
        Embedder embedder = model;
        return embedder != null && !isWithoutModel && snapshot.searchIndex().isReady() ? embedder : null;
    }

    /// Whether there is no model and will be none.
    boolean isWithoutModel() {
        return isWithoutModel;
    }

    /// Makes this the snapshot to index, in place of the one before.
    void index(ToolIndexSnapshot snapshot) {
        current = snapshot;
        if (!isWithoutModel && !snapshot.searchIndex().fitsVectorStore() && !isTooManyLogged.getAndSet(true)) {
            int tools = snapshot.searchIndex().size();
            LOG.log(Level.WARNING, "the sentence model is not used: " + tools + " tools are too many for it");
        }
        start();
    }

    /// Ends the threads after their current texts, and all waits.
    void close() {
        isClosed = true;
        wake();
    }

    /// Waits until the snapshot is indexed as far as it will be, at most for the limit and the caller's deadline.
    void await(ToolIndexSnapshot wanted, Duration limit, Deadline deadline) throws InterruptedException {
        Waiting self = new Waiting(Thread.currentThread(), wanted);
        deadline.onChange(() -> LockSupport.unpark(self.thread()));
        waiting.add(self);
        try {
            boolean isHopeless = !start();
            long nanos = Math.min(limit.toNanos(), Math.max(1, deadline.left()));
            platform.await(
                    Duration.ofNanos(nanos),
                    () -> isHopeless || isWithoutModel || isClosed || wanted.isDone() || deadline.isGivenUp());
        } finally {
            waiting.remove(self);
        }
    }

    // ---- Embedding

    /// A caller registers what it wants before it checks the worker; the worker resets its flag before it checks
    /// what is wanted. So one of the two sees the other. False if no thread could be started.
    private boolean start() {
        if (!isWithoutModel && !isRunning.get() && next() != null && isRunning.compareAndSet(false, true)) {
            try {
                startThread();
            } catch (RuntimeException | Error noThread) {
                // Lexical search needs no model. The next caller tries again.
                LOG.log(
                        Level.WARNING,
                        "cannot start the embedding thread; tool search is lexical for now: " + noThread);
                isRunning.set(false);
                return false;
            }
        }
        return true;
    }

    private void startThread() {
        Thread.ofPlatform().daemon().name("fusebox-search").start(this::embedAll);
    }

    /// The next snapshot to index; null if there is none.
    private @Nullable ToolIndexSnapshot next() {
        if (isClosed) {
            return null;
        }
        for (Waiting each : waiting) {
            if (!each.wanted().isDone()) {
                return each.wanted();
            }
        }
        ToolIndexSnapshot now = current;
        return now == null || now.isDone() ? null : now;
    }

    private void embedAll() {
        try {
            // Calls have precedence. Correctness does not depend on the priority: every wait for this thread is
            // bounded.
            platform.processes().lowerPriority(WORKER_STEPS);
            Embedder embedder = loadedModel();
            loadStoredVectors();
            for (ToolIndexSnapshot next = next(); embedder != null && next != null; next = next()) {
                embed(next, embedder);
                wake();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error unusable) {
            isWithoutModel = true;
            LOG.log(Level.WARNING, "embedding model is unusable; tool search is lexical only: " + unusable);
        } finally {
            isRunning.set(false);
            wake();
        }
        start();
    }

    /// Loads the stored vectors, which need not be computed again. On the worker thread only, which waits for the
    /// disk no longer than computing a few tools would take.
    private void loadStoredVectors() throws InterruptedException {
        if (isWithoutModel || hasLoaded) {
            return;
        }
        hasLoaded = true;
        Promise<Optional<byte[]>> before = new Promise<>();
        try {
            Thread.ofPlatform().daemon().name("fusebox-vectors").start(() -> before.complete(readStored()));
            Optional<byte[]> written = before.await(platform, DISK_LIMIT);
            if (written != null && written.isPresent() && !vectors.read(written.get())) {
                LOG.log(Level.WARNING, "embedding cache is damaged or belongs to another model; rebuilding it");
            }
        } catch (RuntimeException | Error unusable) {
            LOG.log(Level.WARNING, "embedding cache is unusable; rebuilding it: " + unusable);
        }
    }

    private Optional<byte[]> readStored() {
        try {
            return Optional.ofNullable(embeddingStore.load());
        } catch (RuntimeException | Error unusable) {
            LOG.log(Level.WARNING, "embedding cache is unreadable; rebuilding it: " + unusable);
            return Optional.empty();
        }
    }

    /// Vectors that cannot be stored stay usable in this run.
    private void storeVectors() {
        int before = unstored.getAndSet(0);
        if (before == 0) {
            return;
        }
        try {
            embeddingStore.keep(vectors);
        } catch (RuntimeException | Error failed) {
            unstored.addAndGet(before);
            LOG.log(Level.WARNING, "cannot store embeddings for the next start: " + failed);
        }
    }

    private @Nullable Embedder loadedModel() throws IOException {
        Embedder known = model;
        Embedder embedder = known == null ? source.load().orElse(null) : known;
        isWithoutModel = embedder == null;
        model = embedder;
        return embedder;
    }

    /// Ends early if the snapshot is no longer wanted. Vectors computed so far are useful to others.
    private void embed(ToolIndexSnapshot snapshot, Embedder embedder) throws InterruptedException {
        try {
            if (!embedMissing(snapshot, embedder)) {
                return;
            }
            snapshot.searchIndex().refreshEmbeddings();
        } catch (OutOfMemoryError tooMuch) {
            // The snapshot keeps what it has; there may be enough memory for the next edition.
            LOG.log(
                    Level.WARNING,
                    "not enough memory to compute embeddings; tool search is lexical for now: " + tooMuch);
        }
        snapshot.markFinished();
        storeVectors();
    }

    /// False if the snapshot is no longer wanted.
    private boolean embedMissing(ToolIndexSnapshot snapshot, Embedder embedder) throws InterruptedException {
        List<ToolText> missing = snapshot.searchIndex().missing();
        if (missing.isEmpty()) {
            return true;
        }
        vectors.makeRoomFor(snapshot.searchIndex().toolTexts());
        BooleanSupplier isWanted = () -> isWanted(snapshot);
        Consumer<List<ToolText>> embed = batch -> embed(batch, embedder);
        var all = new ParallelEmbedding.EmbeddingTask(new TextBatches(missing), embed, isWanted);
        if (!new ParallelEmbedding(platform, platform.processes()::processorNanos, all).run()) {
            return false;
        }
        // Texts that another thread failed to embed, or did not embed in time.
        TextBatches left = new TextBatches(snapshot.searchIndex().missing());
        return new ParallelEmbedding.EmbeddingTask(left, embed, isWanted).run();
    }

    private void embed(List<ToolText> batch, Embedder embedder) {
        if (unstored.addAndGet(vectors.learn(batch, embedder)) >= Math.max(STORE_BATCH, vectors.size() / 8)) {
            storeVectors();
        }
    }

    private boolean isWanted(ToolIndexSnapshot snapshot) {
        return !isClosed && (snapshot == current || waiting.stream().anyMatch(each -> each.wanted() == snapshot));
    }

    private void wake() {
        waiting.forEach(each -> LockSupport.unpark(each.thread()));
    }
}
