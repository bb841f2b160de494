package dev.fusebox.gateway.tools;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.model.Embedder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A caller that waits for the model gets a result, and waits no longer than necessary. A wait that is not ended
/// would last an hour here.
@Timeout(120)
class ToolSearchTest {
    private static final Duration FOR_EVER = Duration.ofHours(1);
    private static final Embedder SAME = text -> new float[] {1};

    /// Tools whose names begin with that of their edition.
    static AvailableTools availableTools(String edition, int tools) {
        return new AvailableTools(
                edition,
                IntStream.range(0, tools)
                        .mapToObj(i -> new AvailableTools.Tool("s", edition + i, JsonView.of("{}"), true))
                        .toList());
    }

    private static ToolSearch search(SemanticMode semanticMode, EmbeddingWorker.Model model) {
        return new ToolSearch(
                SingleServerHarness.PLATFORM,
                semanticMode,
                new EmbeddingWorker.Sources(model, Optional::empty, EmbeddingStore.NOTHING));
    }

    private static Deadline endless() {
        return Deadline.endless(SingleServerHarness.PLATFORM.ticker());
    }

    private static boolean isByMeaning(ToolSearch search, AvailableTools availableTools) throws InterruptedException {
        return search.find(availableTools, new ToolSearch.Query("tool", tool -> true, 10))
                .isHybrid();
    }

    /// Whether the search was semantic after a wait.
    private static CompletableFuture<Boolean> waited(
            ToolSearch search, AvailableTools availableTools, Deadline deadline) {
        CompletableFuture<Boolean> found = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                search.awaitMeaning(availableTools, FOR_EVER, deadline);
                found.complete(isByMeaning(search, availableTools));
            } catch (InterruptedException | RuntimeException failed) {
                found.completeExceptionally(failed);
            }
        });
        return found;
    }

    /// An embedder that blocks until released.
    private static Embedder held(CountDownLatch begun, CountDownLatch may) {
        return text -> {
            begun.countDown();
            try {
                assertThat(may.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
            return new float[] {1};
        };
    }

    @Test
    void search_reports_whether_semantic_results_may_follow() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        Embedder held = held(begun, may);
        ToolSearch search = search(SemanticMode.AUTO, () -> Optional.of(held));
        assertThat(isByMeaning(search, availableTools("only", 1))).isFalse();
        assertThat(search.mayBecomeHybrid(availableTools("only", 1))).isTrue();
        may.countDown();
        assertThat(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF)
                        .mayBecomeHybrid(availableTools("only", 1)))
                .isFalse();
        ToolSearch without = search(SemanticMode.AUTO, Optional::empty);
        without.awaitMeaning(availableTools("only", 1), FOR_EVER, endless());
        assertThat(without.mayBecomeHybrid(availableTools("only", 1))).isFalse();
    }

    // ---- Views

    private static AvailableTools seenIn(ToolView view, String edition) {
        return new AvailableTools(view, edition, availableTools(edition, 5).tools());
    }

    /// A search that counts how often an index is built.
    private static ToolSearch counting(AtomicInteger builds) {
        return new ToolSearch(
                SingleServerHarness.PLATFORM,
                SemanticMode.AUTO,
                new EmbeddingWorker.Sources(
                        Optional::empty,
                        () -> {
                            builds.incrementAndGet();
                            return Optional.empty();
                        },
                        EmbeddingStore.NOTHING));
    }

    private static void find(ToolSearch search, AvailableTools tools) throws InterruptedException {
        List<ToolSearch.Match> matches = search.find(
                        tools, new ToolSearch.Query(tools.tools().get(3).name(), tool -> true, 1))
                .matches();
        assertThat(matches.getFirst().tool()).isEqualTo(tools.tools().get(3));
    }

    @Test
    void clients_with_different_views_that_search_in_turn_build_one_index_each() throws Exception {
        AtomicInteger builds = new AtomicInteger();
        ToolView work = new ToolView();
        ToolView home = new ToolView();
        try (ToolSearch search = counting(builds)) {
            for (int i = 0; i < 20; i++) {
                find(search, seenIn(work, "work"));
                find(search, seenIn(home, "home"));
                find(search, availableTools("of-commands", 5));
            }
            assertThat(builds).hasValue(3);
            find(search, seenIn(work, "changed"));
            find(search, seenIn(home, "home"));
            assertThat(builds).as("a change in one view concerns no other").hasValue(4);
        }
    }

    @Test
    void view_that_was_not_searched_for_longest_loses_its_index_when_there_are_too_many() throws Exception {
        AtomicInteger builds = new AtomicInteger();
        List<ToolView> views = Stream.generate(ToolView::new).limit(17).toList();
        try (ToolSearch search = counting(builds)) {
            for (int i = 0; i < 16; i++) {
                find(search, seenIn(views.get(i), "v" + i));
            }
            find(search, seenIn(views.getFirst(), "v0"));
            find(search, seenIn(views.get(16), "v16"));
            assertThat(builds).hasValue(17);
            find(search, seenIn(views.getFirst(), "v0"));
            assertThat(builds).as("it was in use").hasValue(17);
            find(search, seenIn(views.get(1), "v1"));
            assertThat(builds).hasValue(18);
        }
    }

    @Test
    void index_is_freed_with_its_view() throws Exception {
        try (ToolSearch search = counting(new AtomicInteger())) {
            ToolView stays = new ToolView();
            WeakReference<ToolView> closed = searchedOnce(search);
            find(search, seenIn(stays, "stays"));
            eventually("the view is collected", () -> {
                System.gc();
                assertThat(closed.get()).isNull();
            });
            find(search, seenIn(stays, "stays"));
        }
    }

    private static WeakReference<ToolView> searchedOnce(ToolSearch search) throws InterruptedException {
        ToolView view = new ToolView();
        find(search, seenIn(view, "closed"));
        return new WeakReference<>(view);
    }

    // ---- Waiting for the model

    @Test
    void replaced_tools_are_embedded_while_a_caller_waits_for_them() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        Embedder held = held(begun, may);
        ToolSearch search = search(SemanticMode.AUTO, () -> Optional.of(held));
        CompletableFuture<Boolean> first = waited(search, availableTools("first", 3), endless());
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        List<CompletableFuture<Boolean>> later = Stream.of("second", "third", "fourth")
                .map(edition -> waited(search, availableTools(edition, 3), endless()))
                .toList();
        may.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isTrue();
        for (CompletableFuture<Boolean> each : later) {
            assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void snapshot_requested_as_the_worker_ends_is_still_embedded() throws Exception {
        ToolSearch search = search(SemanticMode.AUTO, () -> Optional.of(SAME));
        for (int round = 0; round < 300; round++) {
            List<CompletableFuture<Boolean>> both = List.of(
                    waited(search, availableTools("a" + round + "-", 1), endless()),
                    waited(search, availableTools("b" + round + "-", 1), endless()));
            for (CompletableFuture<Boolean> each : both) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void tools_beyond_the_vector_limit_are_searched_lexically_without_waiting() throws Exception {
        ToolSearch search = search(SemanticMode.ON, () -> Optional.of(SAME));
        AvailableTools tooMany = availableTools("many", 27_000);
        assertThat(waited(search, tooMany, endless()).get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(waited(search, availableTools("few", 3), endless()).get(60, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void cancelled_caller_stops_waiting_for_the_model() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        Embedder held = held(begun, may);
        ToolSearch search = search(SemanticMode.AUTO, () -> Optional.of(held));
        Deadline deadline = endless();
        CompletableFuture<Boolean> found = waited(search, availableTools("one", 3), deadline);
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(found).isNotDone();
        deadline.giveUp();
        assertThat(found.get(60, TimeUnit.SECONDS)).isFalse();
        may.countDown();
    }

    /// The first search waits in the word table until it is released.
    @Test
    void search_that_hangs_delays_others_for_a_limited_time() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        Embedder held = held(begun, may);
        Embedder table = text -> text.equals("hang") ? held.embed(text) : SAME.embed(text);
        ToolSearch search = new ToolSearch(
                SingleServerHarness.PLATFORM,
                SemanticMode.AUTO,
                new EmbeddingWorker.Sources(Optional::empty, () -> Optional.of(table), EmbeddingStore.NOTHING));
        AvailableTools tools = availableTools("some", 3);
        CompletableFuture<Integer> hanging = CompletableFuture.supplyAsync(() -> hits(search, tools, "hang"));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(hits(search, tools, "tool")).isEqualTo(3);
        assertThat(hanging).isNotDone();
        may.countDown();
        assertThat(hanging.get(60, TimeUnit.SECONDS)).isEqualTo(3);
    }

    private static int hits(ToolSearch search, AvailableTools tools, String words) {
        try {
            return search.find(tools, new ToolSearch.Query(words, tool -> true, 10))
                    .matches()
                    .size();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void closing_ends_waits_and_the_embedding() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        AtomicInteger embedded = new AtomicInteger();
        Embedder held = held(begun, may);
        ToolSearch search = search(
                SemanticMode.AUTO,
                () -> Optional.of(text -> {
                    embedded.incrementAndGet();
                    return held.embed(text);
                }));
        AvailableTools many = availableTools("many", 200);
        CompletableFuture<Boolean> found = waited(search, many, endless());
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        search.close();
        assertThat(found.get(60, TimeUnit.SECONDS)).isFalse();
        may.countDown();
        search.awaitMeaning(many, FOR_EVER, endless());
        assertThat(isByMeaning(search, many)).isFalse();
        assertThat(embedded.get()).isLessThan(200);
    }

    @Test
    void missing_or_broken_model_is_not_waited_for() throws Exception {
        List<EmbeddingWorker.Model> bad = List.of(Optional::empty, () -> {
            throw new NoClassDefFoundError("Weights");
        });
        for (EmbeddingWorker.Model model : bad) {
            ToolSearch search = search(SemanticMode.ON, model);
            assertThat(waited(search, availableTools("one", 3), endless()).get(60, TimeUnit.SECONDS))
                    .isFalse();
        }
    }
}
