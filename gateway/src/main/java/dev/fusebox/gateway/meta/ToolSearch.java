package dev.fusebox.gateway.meta;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Document;
import dev.fusebox.search.Embedder;
import dev.fusebox.search.Hit;
import dev.fusebox.search.Library;
import dev.fusebox.search.MiniLm;
import dev.fusebox.search.Vectors;
import dev.fusebox.world.World;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds tools by what they are for: by words at once, and by meaning from when all of them have been read by
/// the model, which happens on one thread of low priority that ends when there is nothing to read. Thread-safe;
/// a search takes the caller a few milliseconds, and waits for the model only where it is told to.
public final class ToolSearch {
    private static final System.Logger LOG = System.getLogger(ToolSearch.class.getName());

    /// More of a schema says nothing new of what a tool is for.
    private static final int MOST_DETAILS = 2_000;

    /// Reading a thousand tools takes about as long.
    private static final Duration FOR_THE_MODEL = Duration.ofSeconds(30);

    private final World world;
    private final Semantic semantic;
    private final Vectors vectors = new Vectors();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile @Nullable Embedder model;
    private volatile boolean isWithoutModel;
    private volatile @Nullable Shelves shelves;

    /// The tools of one edition, made ready.
    private record Shelves(Offered offered, Library library) {}

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
        this.world = world;
        this.semantic = semantic;
        this.isWithoutModel = semantic == Semantic.OFF;
    }

    /// The tools that fit best, best first.
    ///
    /// @param wanted which tools count
    public Found find(Offered offered, String query, Predicate<Offered.Tool> wanted, int most)
            throws InterruptedException {
        Library library = ready(offered);
        if (semantic == Semantic.ON) {
            awaitModel(library);
        }
        Embedder reader = model;
        boolean byMeaning = reader != null && library.isWhole();
        float[] meaning = reader != null && byMeaning ? reader.embed(query) : null;
        List<Offered.Tool> tools = offered.tools();
        List<Hit> hits = library.find(query, meaning, index -> wanted.test(tools.get(index)), most);
        List<Match> matches = hits.stream()
                .map(hit -> new Match(tools.get(hit.index()), hit.score()))
                .toList();
        return new Found(matches, byMeaning);
    }

    private void awaitModel(Library library) throws InterruptedException {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            world.await(FOR_THE_MODEL, () -> isWithoutModel || library.isWhole());
        } finally {
            waiting.remove(self);
        }
    }

    /// Has these tools read, if they are not yet. Does not block.
    void prepare(Offered offered) {
        ready(offered);
    }

    /// Whether tools are being read: then a search that looks at words only may look at meaning in a moment.
    public boolean isReading() {
        return isReading.get();
    }

    private Library ready(Offered offered) {
        Shelves now = shelves;
        if (now == null || !now.offered().edition().equals(offered.edition())) {
            now = new Shelves(offered, library(offered));
            shelves = now;
        }
        if (!isWithoutModel && !now.library().isWhole() && isReading.compareAndSet(false, true)) {
            startReading();
        }
        return now.library();
    }

    private Library library(Offered offered) {
        List<Document> documents =
                offered.tools().stream().map(ToolSearch::document).toList();
        return new Library(documents, vectors);
    }

    private static Document document(Offered.Tool tool) {
        String description = Objects.requireNonNullElse(tool.definition().string("description"), "");
        String title = Objects.requireNonNullElse(tool.definition().string("title"), "");
        StringBuilder details = new StringBuilder(title);
        JsonView properties = tool.definition().path("inputSchema", "properties");
        if (properties != null) {
            properties.forEachMember((name, schema) -> {
                String said = schema.string("description");
                if (details.length() < MOST_DETAILS) {
                    details.append(' ').append(name).append(' ').append(said == null ? "" : said);
                }
            });
        }
        return new Document(tool.name(), tool.server(), description, details.toString());
    }

    // ---- Reading

    private void readAll() {
        try {
            Embedder reader = loaded();
            if (reader != null) {
                read(reader);
            }
        } catch (IOException | RuntimeException unusable) {
            isWithoutModel = true;
            LOG.log(Level.WARNING, "search looks at words only, because its model cannot be used: " + unusable);
        } finally {
            isReading.set(false);
            waiting.forEach(LockSupport::unpark);
        }
    }

    private @Nullable Embedder loaded() throws IOException {
        Embedder known = model;
        Embedder reader = known == null ? MiniLm.load().orElse(null) : known;
        isWithoutModel = reader == null;
        model = reader;
        return reader;
    }

    /// A hint to the scheduler: calls go first. What matters (that nobody waits) does not rest on it.
    @SuppressWarnings("ThreadPriorityCheck")
    private void startReading() {
        Thread.ofPlatform()
                .daemon()
                .name("fusebox-search")
                .priority(Thread.MIN_PRIORITY)
                .start(this::readAll);
    }

    /// What is new meanwhile is read as well.
    private void read(Embedder reader) {
        Library done = null;
        Shelves now = shelves;
        while (now != null && now.library() != done) {
            done = now.library();
            done.missing().forEach(text -> vectors.learn(text, reader));
            now = shelves;
        }
    }
}
