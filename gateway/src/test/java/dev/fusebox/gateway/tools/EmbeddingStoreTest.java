package dev.fusebox.gateway.tools;

import static dev.fusebox.gateway.tools.ToolSearchTest.availableTools;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.search.VectorStore;
import dev.fusebox.search.model.Embedder;
import dev.fusebox.search.model.SentenceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Embeddings are reused by later gateways, and a damaged or foreign file only costs the time to compute them
/// again. Not beside other classes, whose gateways write the same log.
@Isolated
@Timeout(60)
class EmbeddingStoreTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    /// A vector of the model's length.
    private static final float[] FIRST = first();

    private static final String QUERY = "what is asked for";

    @TempDir
    private Path home;

    private Path file;

    private static float[] first() {
        float[] vector = new float[SentenceModel.WIDTH];
        vector[0] = 1;
        return vector;
    }

    @BeforeEach
    void place() {
        file = home.resolve("vectors");
    }

    /// The number of tools that a gateway has to embed before semantic search works.
    private int toRead(AvailableTools availableTools) throws InterruptedException {
        try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home, "here")) {
            AtomicInteger read = new AtomicInteger();
            CountingStore store = new CountingStore(cache);
            ToolSearch search = search(store, text -> {
                read.addAndGet(text.equals(QUERY) ? 0 : 1);
                return FIRST.clone();
            });
            search.awaitMeaning(availableTools, LONG, Deadline.endless(SingleServerHarness.PLATFORM.ticker()));
            ToolSearch.Found found = search.find(availableTools, new ToolSearch.Query(QUERY, tool -> true, 10));
            assertThat(found.isHybrid()).isTrue();
            store.awaitKept(Math.min(1, read.get()));
            return read.get();
        }
    }

    private static ToolSearch search(EmbeddingStore store, Embedder embedder) {
        return new ToolSearch(
                SingleServerHarness.PLATFORM,
                SemanticMode.AUTO,
                new EmbeddingWorker.Sources(() -> Optional.of(embedder), Optional::empty, store));
    }

    /// The store of a gateway, which counts how often vectors are handed over. That may be after the wait for them,
    /// and what is handed over after the end of the gateway is not written.
    private record CountingStore(EmbeddingStore real, AtomicInteger kept) implements EmbeddingStore {
        CountingStore(SchemaCache cache) {
            this(cache.embeddingStore(), new AtomicInteger());
        }

        @Override
        public byte @Nullable [] load() {
            return real.load();
        }

        @Override
        public void keep(VectorStore vectors) {
            real.keep(vectors);
            kept.incrementAndGet();
        }

        void awaitKept(int times) {
            eventually(
                    "the vectors are handed over", () -> assertThat(kept.get()).isGreaterThanOrEqualTo(times));
        }
    }

    @Test
    void embeddings_of_one_gateway_are_reused_by_the_next() throws Exception {
        assertThat(toRead(availableTools("first", 5))).isEqualTo(5);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(toRead(availableTools("first", 5))).isZero();
        assertThat(toRead(availableTools("first", 7))).isEqualTo(2);
        assertThat(toRead(availableTools("first", 7))).isZero();
    }

    @Test
    void concurrent_gateways_merge_their_embeddings() throws Exception {
        try (SchemaCache one = new SchemaCache(SingleServerHarness.PLATFORM, home, "here");
                SchemaCache two = new SchemaCache(SingleServerHarness.PLATFORM, home, "there")) {
            CountingStore ofFirst = new CountingStore(one);
            CountingStore ofSecond = new CountingStore(two);
            ToolSearch first = search(ofFirst, text -> FIRST.clone());
            ToolSearch second = search(ofSecond, text -> FIRST.clone());
            Deadline endless = Deadline.endless(SingleServerHarness.PLATFORM.ticker());
            first.awaitMeaning(availableTools("none", 0), LONG, endless);
            second.awaitMeaning(availableTools("none", 0), LONG, endless);
            first.awaitMeaning(availableTools("first", 3), LONG, endless);
            ofFirst.awaitKept(1);
            eventually("the file is written", () -> assertThat(file).exists());
            second.awaitMeaning(availableTools("second", 3), LONG, endless);
            ofSecond.awaitKept(1);
        }
        assertThat(toRead(availableTools("first", 3))).isZero();
        assertThat(toRead(availableTools("second", 3))).isZero();
    }

    @Test
    void gateway_that_ends_while_it_embeds_has_stored_most_vectors() throws Exception {
        CountDownLatch isOver = new CountDownLatch(1);
        try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home, "here")) {
            CountingStore store = new CountingStore(cache);
            // 144 texts, on as many threads as there are: no thread stops in the middle of a batch before that.
            ToolSearch search = search(store, new HangingEmbedder(new Semaphore(18), isOver));
            search.prepare(availableTools("many", 200));
            store.awaitKept(2);
        }
        assertThat(toRead(availableTools("many", 200))).isBetween(1, 100);
        isOver.countDown();
    }

    /// Embeds so many batches, and then hangs until it is released.
    private record HangingEmbedder(Semaphore batches, CountDownLatch released) implements Embedder {
        @Override
        public float[] embed(String text) {
            return FIRST.clone();
        }

        @Override
        public List<float[]> embedAll(List<String> texts) {
            if (!batches.tryAcquire()) {
                awaited(released);
            }
            return Embedder.super.embedAll(texts);
        }
    }

    @Test
    void two_searches_of_one_gateway_merge_their_embeddings() throws Exception {
        for (int round = 0; round < 20; round++) {
            Files.deleteIfExists(file);
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home, "here")) {
                CountingStore shared = new CountingStore(cache);
                List<Thread> both = Stream.of("tools", "entries")
                        .map(edition -> Thread.ofVirtual().start(() -> read(shared, availableTools(edition, 3))))
                        .toList();
                for (Thread each : both) {
                    each.join();
                }
                shared.awaitKept(2);
            }
            assertThat(toRead(availableTools("tools", 3))).isZero();
            assertThat(toRead(availableTools("entries", 3))).isZero();
        }
    }

    private static void read(EmbeddingStore shared, AvailableTools availableTools) {
        try {
            new ToolSearch(
                            SingleServerHarness.PLATFORM,
                            SemanticMode.AUTO,
                            new EmbeddingWorker.Sources(
                                    () -> Optional.of(text -> FIRST.clone()), Optional::empty, shared))
                    .awaitMeaning(availableTools, LONG, Deadline.endless(SingleServerHarness.PLATFORM.ticker()));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// F70
    @Test
    void foreign_file_in_place_of_the_store_is_ignored_and_replaced_if_possible() throws Exception {
        place("empty", () -> Files.createFile(file), true);
        place("zeros", () -> Files.write(file, new byte[100_000]), true);
        place("too long", () -> Files.write(file, new byte[(16 << 20) + 1]), true);
        place("a link", () -> Files.createSymbolicLink(file, home.resolve("elsewhere")), true);
        place("a pipe", () -> pipe(file), true);
        place("a folder", () -> Files.createDirectories(file.resolve("full")), false);
    }

    private interface Act {
        void run() throws IOException, InterruptedException;
    }

    private void place(String what, Act act, boolean isReplaced) throws Exception {
        act.run();
        try (CapturedLog log = CapturedLog.of(SchemaCache.class);
                CapturedLog read = CapturedLog.of(EmbeddingWorker.class)) {
            assertThat(toRead(availableTools("some", 3))).as(what).isEqualTo(3);
            // One line says that it is unreadable, and one that it is not writable, where that applies.
            assertThat(log.lines().size() + read.lines().size()).as(what).isEqualTo(isReplaced ? 1 : 2);
            assertThat(toRead(availableTools("some", 3))).as(what).isEqualTo(isReplaced ? 0 : 3);
        }
        if (isReplaced) {
            Files.delete(file);
        }
        assertThat(home.resolve("elsewhere"))
                .as("nothing is written through a link")
                .doesNotExist();
    }

    private static void pipe(Path place) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", place.toString()).start().waitFor())
                .isZero();
    }
}
