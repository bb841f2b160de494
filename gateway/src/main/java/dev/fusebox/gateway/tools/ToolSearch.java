package dev.fusebox.gateway.tools;

import dev.fusebox.client.Deadline;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.search.Embedder;
import dev.fusebox.search.MiniLm;
import dev.fusebox.search.SearchHit;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds tools by what they are for: by words at once, and by meaning from when all of them have been read by
/// the model, which [EmbeddingWorker] sees to. Thread-safe; a search takes the caller a few milliseconds, and
/// waits for the model only where it is told to.
public final class ToolSearch {
    /// Reading a thousand tools takes about as long.
    private static final Duration FOR_THE_MODEL = Duration.ofSeconds(30);

    private final Platform platform;
    private final SemanticMode semanticMode;
    private final EmbeddingWorker reader;
    private volatile @Nullable ToolIndexSnapshot snapshot;

    /// What is looked for.
    ///
    /// @param wanted which tools count
    public record Query(String words, Predicate<AvailableTools.Tool> wanted, int most) {}

    /// What was found.
    ///
    /// @param byMeaning whether meaning counted, or only words
    public record Found(List<Match> matches, boolean byMeaning) {
        public Found {
            matches = List.copyOf(matches);
        }
    }

    /// One tool that fits.
    ///
    /// @param score from 0 to 1
    public record Match(AvailableTools.Tool tool, double score) {}

    /// Nothing is loaded before somebody searches.
    public ToolSearch(Platform platform, SemanticMode semanticMode) {
        this(platform, semanticMode, EmbeddingStore.NOTHING);
    }

    /// The same, with what was read in other runs.
    public ToolSearch(Platform platform, SemanticMode semanticMode, EmbeddingStore embeddingStore) {
        this(platform, semanticMode, new EmbeddingWorker.Sources(MiniLm::load, embeddingStore));
    }

    ToolSearch(Platform platform, SemanticMode semanticMode, EmbeddingWorker.Sources sources) {
        this.platform = platform;
        this.semanticMode = semanticMode;
        this.reader = new EmbeddingWorker(platform, sources, semanticMode == SemanticMode.OFF);
    }

    /// The tools that fit best, best first, for somebody who does not give up.
    public Found find(AvailableTools availableTools, Query query) throws InterruptedException {
        return find(availableTools, query, Deadline.endless(platform.ticker()));
    }

    /// The tools that fit best, best first. Whoever gives up gets what words find.
    public Found find(AvailableTools availableTools, Query query, Deadline deadline) throws InterruptedException {
        ToolIndexSnapshot ready = ready(availableTools);
        if (semanticMode == SemanticMode.ON) {
            reader.await(ready, FOR_THE_MODEL, deadline);
        }
        Embedder model = reader.modelFor(ready);
        float[] meaning = model == null ? null : model.embed(query.words());
        List<AvailableTools.Tool> tools = availableTools.tools();
        List<SearchHit> hits = ready.searchIndex()
                .find(query.words(), meaning, index -> query.wanted().test(tools.get(index)), query.most());
        List<Match> matches = hits.stream()
                .map(hit -> new Match(tools.get(hit.index()), hit.score()))
                .toList();
        return new Found(matches, meaning != null);
    }

    /// Whether what is found by words alone now may be found by meaning soon.
    boolean willKnowMeaning() {
        return !reader.isWithoutModel();
    }

    /// Waits until these tools can be found by meaning, or never will be; so long at most, and for as long as a
    /// caller has patience.
    public void awaitMeaning(AvailableTools availableTools, Duration limit, Deadline deadline)
            throws InterruptedException {
        reader.await(ready(availableTools), limit, deadline);
    }

    /// Has these tools made ready, if they are not yet: somebody will search them soon. Does not block.
    void prepare(AvailableTools availableTools) {
        ToolIndexSnapshot now = ready(availableTools);
        VirtualThreadStarter.start("fusebox-index", () -> now.searchIndex().prepare(), () -> {});
    }

    /// Makes ready that these tools are searched by their words, on the caller's thread; the model is left alone.
    public void index(AvailableTools availableTools) {
        snapshot(availableTools).searchIndex().prepare();
    }

    private ToolIndexSnapshot ready(AvailableTools availableTools) {
        ToolIndexSnapshot now = snapshot(availableTools);
        reader.turnTo(now);
        return now;
    }

    private ToolIndexSnapshot snapshot(AvailableTools availableTools) {
        ToolIndexSnapshot now = snapshot;
        if (now == null || !now.isOf(availableTools)) {
            now = new ToolIndexSnapshot(availableTools, reader.vectors(), now);
            snapshot = now;
        }
        return now;
    }
}
