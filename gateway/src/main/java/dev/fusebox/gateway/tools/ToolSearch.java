package dev.fusebox.gateway.tools;

import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.search.SearchHit;
import dev.fusebox.search.SearchIndex;
import dev.fusebox.search.SearchQuery;
import dev.fusebox.search.SearchResult;
import dev.fusebox.search.model.Embedder;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Tool search: by words and the word table at once, and with the sentence model as soon as [EmbeddingWorker] has
/// computed the embeddings of most tools. Thread-safe; a search takes a few milliseconds on the caller's thread, the
/// first one up to a second for thousands of tools, and waits for embeddings only in mode [SemanticMode#ON].
public final class ToolSearch implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(ToolSearch.class);

    /// About as long as it takes to embed a thousand tools.
    private static final Duration MODEL_LIMIT = Duration.ofSeconds(30);

    /// After this, a search runs beside the others.
    private static final Duration BULKHEAD_LIMIT = Duration.ofSeconds(2);

    /// More than the clients of a gateway may have in flight.
    private static final int MAX_WAITING = 10_000;

    /// More than the views that people use at the same time; the index of a thousand tools takes a few megabytes.
    private static final int MAX_VIEWS = 16;

    private final Platform platform;
    private final SemanticMode semanticMode;
    private final EmbeddingWorker embeddingWorker;

    /// A search computes for milliseconds. Many at once would leave no carrier thread to other calls.
    private final Bulkhead bulkhead;

    private final StoredFeatures storedFeatures;

    /// For tools of which there is only one view.
    private final ToolView onlyView = new ToolView();

    /// Guarded by the monitor.
    private final RecentViews recentViews = new RecentViews(MAX_VIEWS);

    /// What earlier runs have stored, and this one will store.
    public record Stores(EmbeddingStore embeddingStore, FeatureStore featureStore) {
        static final Stores NOTHING = new Stores(EmbeddingStore.NOTHING, FeatureStore.NOTHING);
    }

    /// A search query.
    ///
    /// @param wanted the tools to search
    public record Query(String words, Predicate<AvailableTools.Tool> wanted, int most) {}

    /// A search result.
    ///
    /// @param matches best first
    /// @param hasClauses whether the query is a task of several steps, which may each need a tool of their own
    public record Found(List<Match> matches, SearchResult.Method method, boolean hasClauses) {
        public Found {
            matches = List.copyOf(matches);
        }

        /// Whether the sentence model took part.
        public boolean isHybrid() {
            return method == SearchResult.Method.HYBRID;
        }

        /// All matches with their equivalents, best first.
        public List<Match> withEquivalents() {
            return matches.stream()
                    .flatMap(match -> Stream.concat(Stream.of(match), match.equivalents().stream()))
                    .sorted(Comparator.comparingDouble(Match::score).reversed())
                    .toList();
        }
    }

    /// One matching tool.
    ///
    /// @param score how likely it is the right tool, from 0 to 1
    /// @param equivalents tools of other servers that do the same and match as well
    public record Match(AvailableTools.Tool tool, double score, List<Match> equivalents) {
        public Match {
            equivalents = List.copyOf(equivalents);
        }

        Match(AvailableTools.Tool tool, double score) {
            this(tool, score, List.of());
        }
    }

    /// The model is loaded at the first search.
    public ToolSearch(Platform platform, SemanticMode semanticMode) {
        this(platform, semanticMode, Stores.NOTHING);
    }

    /// The same, with what earlier runs have stored.
    public ToolSearch(Platform platform, SemanticMode semanticMode, Stores stores) {
        this(
                platform,
                semanticMode,
                new EmbeddingWorker.Sources(BundledModels::model, BundledModels::table, stores.embeddingStore()),
                stores.featureStore());
    }

    /// A search by words and the word table only, for a process that ends soon.
    public static ToolSearch withoutModel(Platform platform) {
        EmbeddingWorker.Model none = Optional::empty;
        return new ToolSearch(
                platform,
                SemanticMode.AUTO,
                new EmbeddingWorker.Sources(none, BundledModels::table, EmbeddingStore.NOTHING));
    }

    ToolSearch(Platform platform, SemanticMode semanticMode, EmbeddingWorker.Sources sources) {
        this(platform, semanticMode, sources, FeatureStore.NOTHING);
    }

    private ToolSearch(
            Platform platform, SemanticMode semanticMode, EmbeddingWorker.Sources sources, FeatureStore featureStore) {
        this.platform = platform;
        this.semanticMode = semanticMode;
        this.bulkhead = new Bulkhead(1, MAX_WAITING, PlatformSurroundings.of(platform));
        this.storedFeatures = new StoredFeatures(platform, featureStore);
        this.embeddingWorker =
                new EmbeddingWorker(platform, sources, semanticMode == SemanticMode.OFF, storedFeatures::take);
    }

    /// Loads the word table, and what earlier runs have stored, in the background: the first search should not wait for
    /// them.
    public void preload() {
        storedFeatures.preload(embeddingWorker.models()::loadTable);
    }

    /// The best matches, best first, without a deadline.
    public Found find(AvailableTools availableTools, Query query) throws InterruptedException {
        return find(availableTools, query, Deadline.endless(platform.ticker()));
    }

    /// The best matches, best first. The sentence model is not waited for after the deadline.
    public Found find(AvailableTools availableTools, Query query, Deadline deadline) throws InterruptedException {
        ToolIndexSnapshot indexed = snapshot(availableTools);
        if (semanticMode == SemanticMode.ON) {
            embeddingWorker.index(indexed);
            embeddingWorker.await(indexed, MODEL_LIMIT, deadline);
        }
        Embedder model = embeddingWorker.modelFor(indexed);
        List<AvailableTools.Tool> tools = availableTools.tools();
        SearchQuery searchQuery =
                new SearchQuery(query.words(), model, index -> query.wanted().test(tools.get(index)), query.most());
        SearchResult result = searched(indexed.searchIndex(), searchQuery, deadline);
        storedFeatures.note(indexed.searchIndex());
        // Loading the model takes processors from the first search, so it begins afterwards.
        embeddingWorker.index(indexed);
        return new Found(matches(result.hits(), tools), result.method(), result.hasClauses());
    }

    /// Waits for other searches at most two seconds. A search whose index is being built by another thread waits until
    /// it is built.
    private SearchResult searched(SearchIndex searchIndex, SearchQuery query, Deadline deadline)
            throws InterruptedException {
        long nanos = Math.clamp(deadline.left(), Duration.ofMillis(1).toNanos(), BULKHEAD_LIMIT.toNanos());
        Bulkhead.Entry entry = bulkhead.enter(Duration.ofNanos(nanos));
        try {
            return searchIndex.find(query);
        } finally {
            if (entry instanceof Bulkhead.Slot slot) {
                slot.close();
            }
        }
    }

    private static List<Match> matches(List<SearchHit> hits, List<AvailableTools.Tool> tools) {
        return hits.stream()
                .map(hit -> new Match(tools.get(hit.index()), hit.score(), matches(hit.equivalents(), tools)))
                .toList();
    }

    /// Whether a later search of these tools may be hybrid if this one was not.
    boolean mayBecomeHybrid(AvailableTools availableTools) {
        return !embeddingWorker.isWithoutModel() && !snapshot(availableTools).isDone();
    }

    /// Waits until all of these tools are embedded, or never will be; at most for the limit and the caller's
    /// deadline.
    public void awaitMeaning(AvailableTools availableTools, Duration limit, Deadline deadline)
            throws InterruptedException {
        ToolIndexSnapshot indexed = snapshot(availableTools);
        embeddingWorker.index(indexed);
        embeddingWorker.await(indexed, limit, deadline);
    }

    /// Starts to index these tools in the background, if they are not indexed yet. Does not block.
    void prepare(AvailableTools availableTools) {
        ToolIndexSnapshot indexed = snapshot(availableTools);
        VirtualThreadStarter.start("fusebox-index", () -> prepare(indexed), () -> {});
    }

    private void prepare(ToolIndexSnapshot indexed) {
        try {
            indexed.searchIndex().prepare();
            storedFeatures.note(indexed.searchIndex());
            embeddingWorker.index(indexed);
        } catch (RuntimeException | Error failed) {
            LOG.log(Level.WARNING, "cannot index the tools in advance; the next search will try again: " + failed);
        }
    }

    /// Builds the index of words and of the word table on the caller's thread; the sentence model is not loaded.
    public void index(AvailableTools availableTools) {
        SearchIndex searchIndex = snapshot(availableTools).searchIndex();
        searchIndex.prepare();
        storedFeatures.note(searchIndex);
    }

    /// Ends its threads after their current texts. Later searches use the embeddings computed so far.
    @Override
    public void close() {
        embeddingWorker.close();
        storedFeatures.close();
    }

    /// One at a time: the index that is built in advance is also that of the first search.
    private synchronized ToolIndexSnapshot snapshot(AvailableTools availableTools) {
        ToolView view = Objects.requireNonNullElse(availableTools.view(), onlyView);
        ToolIndexSnapshot known = view.latest();
        ToolIndexSnapshot now = known != null && known.isOf(availableTools)
                ? known
                : new ToolIndexSnapshot(
                        availableTools, embeddingWorker.models(), known == null ? recentViews.latest() : known);
        view.keep(now);
        recentViews.use(view);
        return now;
    }
}
