package dev.fusebox.gateway.meta;

import dev.fusebox.client.Patience;
import dev.fusebox.search.Embedder;
import dev.fusebox.search.Hit;
import dev.fusebox.search.MiniLm;
import dev.fusebox.world.Threads;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds tools by what they are for: by words at once, and by meaning from when all of them have been read by
/// the model, which [ModelReader] sees to. Thread-safe; a search takes the caller a few milliseconds, and waits for
/// the model only where it is told to.
public final class ToolSearch {
    /// Reading a thousand tools takes about as long.
    private static final Duration FOR_THE_MODEL = Duration.ofSeconds(30);

    private final World world;
    private final Semantic semantic;
    private final ModelReader reader;
    private volatile @Nullable Edition edition;

    /// What is looked for.
    ///
    /// @param wanted which tools count
    public record Query(String words, Predicate<Offered.Tool> wanted, int most) {}

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
    public record Match(Offered.Tool tool, double score) {}

    /// Nothing is loaded before somebody searches.
    public ToolSearch(World world, Semantic semantic) {
        this(world, semantic, ReadBefore.NOTHING);
    }

    /// The same, with what was read in other runs.
    public ToolSearch(World world, Semantic semantic, ReadBefore readBefore) {
        this(world, semantic, new ModelReader.Sources(MiniLm::load, readBefore));
    }

    ToolSearch(World world, Semantic semantic, ModelReader.Sources sources) {
        this.world = world;
        this.semantic = semantic;
        this.reader = new ModelReader(world, sources, semantic == Semantic.OFF);
    }

    /// The tools that fit best, best first, for somebody who does not give up.
    public Found find(Offered offered, Query query) throws InterruptedException {
        return find(offered, query, Patience.endless(world.ticker()));
    }

    /// The tools that fit best, best first. Whoever gives up gets what words find.
    public Found find(Offered offered, Query query, Patience patience) throws InterruptedException {
        Edition ready = ready(offered);
        if (semantic == Semantic.ON) {
            reader.await(ready, FOR_THE_MODEL, patience);
        }
        Embedder model = reader.modelFor(ready);
        float[] meaning = model == null ? null : model.embed(query.words());
        List<Offered.Tool> tools = offered.tools();
        List<Hit> hits = ready.library()
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

    /// Waits until these tools can be found by meaning, or never will be; so long at most, and for as long as a caller
    /// has patience.
    public void awaitMeaning(Offered offered, Duration limit, Patience patience) throws InterruptedException {
        reader.await(ready(offered), limit, patience);
    }

    /// Has these tools made ready, if they are not yet: somebody will search them soon. Does not block.
    void prepare(Offered offered) {
        Edition now = ready(offered);
        Threads.start("fusebox-index", () -> now.library().prepare(), () -> {});
    }

    /// Makes ready that these tools are searched by their words, on the caller's thread; the model is left alone.
    public void index(Offered offered) {
        edition(offered).library().prepare();
    }

    private Edition ready(Offered offered) {
        Edition now = edition(offered);
        reader.turnTo(now);
        return now;
    }

    private Edition edition(Offered offered) {
        Edition now = edition;
        if (now == null || !now.isOf(offered)) {
            now = new Edition(offered, reader.vectors(), now);
            edition = now;
        }
        return now;
    }
}
