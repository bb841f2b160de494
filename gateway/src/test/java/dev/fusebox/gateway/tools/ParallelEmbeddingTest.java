package dev.fusebox.gateway.tools;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.search.Document;
import dev.fusebox.search.ToolText;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many threads embed: on an idle machine two, on a busy one nine, whatever fails.
@Timeout(120)
class ParallelEmbeddingTest {
    private static final int TEXTS = 400;

    private final Thread caller = Thread.currentThread();
    private final AtomicInteger ofCaller = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Queue<ToolText> embedded = new ConcurrentLinkedQueue<>();

    /// No thread gets any processor time.
    private static long busy() {
        return 0;
    }

    /// Each thread gets more processor time than passes, also when it is stopped between two looks at the clocks.
    private static LongSupplier idle() {
        AtomicLong used = new AtomicLong();
        return () -> used.addAndGet(Duration.ofHours(1).toNanos());
    }

    private static List<ToolText> texts(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ToolText.of(() -> new Document("tool" + i, "server", "Does the work " + i, "")))
                .toList();
    }

    private ParallelEmbedding embedding(LongSupplier processorNanos, int texts, Consumer<List<ToolText>> embed) {
        Consumer<List<ToolText>> all = batch -> {
            threads.add(Thread.currentThread());
            embed.accept(batch);
            embedded.addAll(batch);
        };
        return new ParallelEmbedding(
                SingleServerHarness.PLATFORM,
                processorNanos,
                new ParallelEmbedding.EmbeddingTask(new TextBatches(texts(texts)), all, () -> true));
    }

    /// Whether this is another thread, or the caller after its first batches.
    private boolean isAfterStart() {
        return !Thread.currentThread().equals(caller)
                || ofCaller.getAndIncrement() >= ParallelEmbedding.BATCHES_BEFORE_HELPER;
    }

    /// Waits for other threads to embed a batch, too.
    private void awaitThreads(int count) {
        eventually("threads embed", () -> assertThat(threads).hasSizeGreaterThanOrEqualTo(count));
    }

    @Test
    void busy_machine_gets_more_threads() throws Exception {
        ParallelEmbedding embedding = embedding(ParallelEmbeddingTest::busy, TEXTS, _ -> {
            if (isAfterStart()) {
                awaitThreads(9);
            }
        });
        assertThat(embedding.run()).isTrue();
        assertThat(threads).hasSize(9);
        assertThat(embedded).hasSize(TEXTS).doesNotHaveDuplicates();
    }

    @Test
    void idle_machine_has_one_helper_after_the_first_batches() throws Exception {
        AtomicBoolean isEarly = new AtomicBoolean();
        ParallelEmbedding embedding = embedding(idle(), TEXTS, _ -> {
            if (isAfterStart()) {
                isEarly.compareAndSet(false, ofCaller.get() < ParallelEmbedding.BATCHES_BEFORE_HELPER);
                awaitThreads(2);
            }
        });
        assertThat(embedding.run()).isTrue();
        assertThat(threads).hasSize(2);
        assertThat(isEarly).as("helper during the first batches").isFalse();
        assertThat(embedded).hasSize(TEXTS).doesNotHaveDuplicates();
    }

    @Test
    void few_texts_are_embedded_by_the_caller_alone() throws Exception {
        assertThat(embedding(ParallelEmbeddingTest::busy, 31, _ -> {}).run()).isTrue();
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void texts_of_threads_that_fail_are_left_out_and_all_others_embedded() throws Exception {
        ParallelEmbedding embedding = embedding(ParallelEmbeddingTest::busy, TEXTS, _ -> {
            if (isAfterStart()) {
                awaitThreads(2);
            }
            if (!Thread.currentThread().equals(caller)) {
                throw new IllegalStateException("no memory");
            }
        });
        assertThat(embedding.run()).isTrue();
        assertThat(embedded).hasSizeLessThan(TEXTS).doesNotHaveDuplicates();
    }

    @Test
    void texts_that_are_no_longer_wanted_are_left() throws Exception {
        var work = new ParallelEmbedding.EmbeddingTask(
                new TextBatches(texts(TEXTS)), embedded::addAll, () -> embedded.size() < 24);
        var embedding = new ParallelEmbedding(SingleServerHarness.PLATFORM, ParallelEmbeddingTest::busy, work);
        assertThat(embedding.run()).isFalse();
        assertThat(embedded).hasSizeLessThan(TEXTS);
    }
}
