package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A search index of documents: by words and by the table of word pieces immediately, and by the sentence model as
/// soon as most vectors are known. Immutable except for the vectors, which are added over time, and for the index,
/// which the first search or [#prepare] builds; thread-safe.
public final class SearchIndex {
    /// So many hits may be equivalents of others at first; see [EquivalentTools].
    private static final int EQUIVALENTS = 20;

    /// The most hits that are compared for the equivalents among them.
    private static final int MOST_COMPARED = 1_000;

    /// The model is used once the vectors of this share of the documents are known, so that a few new documents, or one
    /// server that keeps changing its descriptions, do not disable it for all.
    private static final double MIN_KNOWN_SHARE = 0.75;

    private static final Comparator<SearchHit> BEST_FIRST =
            Comparator.comparingDouble(SearchHit::score).reversed().thenComparingInt(SearchHit::index);

    private final List<ToolText> toolTexts;
    private final SearchModels models;

    private @Nullable WordScores wordScores;

    private final Lock lookupLock = new ReentrantLock();

    /// The number of vectors at the last lookup; guarded by `lookupLock`.
    private int sizeAtLastLookup = -1;

    /// Of the vectors known so far; null while these are too few.
    private volatile @Nullable EmbeddingIndex embeddingIndex;

    public SearchIndex(List<ToolText> toolTexts, SearchModels models) {
        this.toolTexts = List.copyOf(toolTexts);
        this.models = models;
    }

    /// Builds the part of the index that needs no sentence model, unless it exists. Takes a moment for thousands of
    /// documents.
    public void prepare() {
        wordScores();
    }

    private synchronized WordScores wordScores() {
        WordScores known = wordScores;
        if (known == null) {
            Embedder table = models.table().get().orElse(null);
            byte[] stored = table == null ? null : models.stored().get();
            known = new WordScores(
                    toolTexts,
                    table,
                    table == null || stored == null ? null : FeatureFile.read(stored, table.version()));
            wordScores = known;
        }
        return known;
    }

    /// Whether the index is built and has read documents whose features are worth storing.
    public synchronized boolean hasNewFeatures() {
        return wordScores != null && wordScores.hasTable() && wordScores.computed() > 0;
    }

    /// What is known of the documents without the sentence model, for the first index of a later run.
    ///
    /// @param others the same of other documents, which are added as far as there is room; null if there are none
    public byte[] writtenFeatures(byte @Nullable [] others) {
        int table = models.table().get().map(Embedder::version).orElse(0);
        return FeatureFile.written(toolTexts, table, others == null ? null : FeatureFile.read(others, table));
    }

    /// The texts whose vectors are unknown, each text once.
    public List<ToolText> missing() {
        Map<String, ToolText> missing = new LinkedHashMap<>();
        for (ToolText toolText : toolTexts) {
            if (models.vectors().of(toolText) == null) {
                missing.putIfAbsent(toolText.text().key(), toolText);
            }
        }
        return List.copyOf(missing.values());
    }

    /// All texts.
    public List<ToolText> toolTexts() {
        return toolTexts;
    }

    public int size() {
        return toolTexts.size();
    }

    /// Whether search with the sentence model is possible: most vectors are known. Returns false while another thread
    /// looks them up, which may have a low priority.
    public boolean isReady() {
        return embeddingIndex() != null;
    }

    /// Whether there is room for the vectors of so many documents.
    public boolean fitsVectorStore() {
        return MIN_KNOWN_SHARE * toolTexts.size() <= VectorStore.MOST;
    }

    /// Whether all vectors are known and used.
    public boolean isWhole() {
        EmbeddingIndex index = embeddingIndex();
        return index != null && index.isWhole();
    }

    private @Nullable EmbeddingIndex embeddingIndex() {
        if (embeddingIndex == null && lookupLock.tryLock()) {
            try {
                if (models.vectors().size() != sizeAtLastLookup) {
                    lookUp();
                }
            } finally {
                lookupLock.unlock();
            }
        }
        return embeddingIndex;
    }

    /// Looks up the known vectors, after waiting for another thread that does so; afterwards the sentence model is
    /// used with all of them, if they are enough.
    public void refreshEmbeddings() {
        lookupLock.lock();
        try {
            EmbeddingIndex now = embeddingIndex;
            if (now == null || !now.isWhole()) {
                lookUp();
            }
        } finally {
            lookupLock.unlock();
        }
    }

    private void lookUp() {
        int size = models.vectors().size();
        List<@Nullable Embedding> embeddings = new ArrayList<>();
        int mostMissing = (int) ((1 - MIN_KNOWN_SHARE) * toolTexts.size());
        int missing = size == 0 ? toolTexts.size() : 0;
        for (int index = 0; index < toolTexts.size() && missing <= mostMissing; index++) {
            Embedding embedding = models.vectors().of(toolTexts.get(index));
            embeddings.add(embedding);
            missing += embedding == null ? 1 : 0;
        }
        if (missing <= mostMissing) {
            embeddingIndex = new EmbeddingIndex(embeddings);
        }
        sizeAtLastLookup = size;
    }

    // ---- Search

    /// The best matches, best first; of two with equal scores the one with the lower index. Takes milliseconds, most
    /// of them for embedding the query.
    public SearchResult find(SearchQuery query) {
        WordScores words = wordScores();
        Embedder model = query.model();
        EmbeddingIndex all = model == null ? null : embeddingIndex();
        Ranking ranking = model == null || all == null ? Ranking.ofWords(words) : Ranking.ofMeaning(words, all, model);
        List<String> clauses = Clauses.of(query.text());
        double[] scores = ranking.scores(query.text(), clauses);
        int taken = query.most() + (ranking.canFold() ? EQUIVALENTS : 0);
        List<SearchHit> hits = hits(scores, query, ranking, taken);
        List<SearchHit> folded = ranking.folded(hits, query.most());
        while (ranking.canFold() && folded.size() < query.most() && hits.size() == taken && taken < MOST_COMPARED) {
            // Copies of a few tools must not displace all others.
            taken = Math.min(4 * taken, MOST_COMPARED);
            hits = hits(scores, query, ranking, taken);
            folded = ranking.folded(hits, query.most());
        }
        return new SearchResult(folded, ranking.method(), !clauses.isEmpty());
    }

    private static List<SearchHit> hits(double[] scores, SearchQuery query, Ranking ranking, int most) {
        return best(scores, query, most).stream()
                .map(hit -> new SearchHit(hit.index(), ranking.confidence(hit.score())))
                .toList();
    }

    /// The best few out of thousands: a heap whose top is the worst of those chosen so far.
    private static List<SearchHit> best(double[] scores, SearchQuery query, int most) {
        PriorityQueue<SearchHit> chosen = new PriorityQueue<>(BEST_FIRST.reversed());
        for (int index = 0; index < scores.length; index++) {
            SearchHit worst = chosen.peek();
            boolean isAmong = worst == null || chosen.size() < most || scores[index] > worst.score();
            if (scores[index] > Ranking.NONE && isAmong && query.wanted().test(index)) {
                chosen.add(new SearchHit(index, scores[index]));
            }
            if (chosen.size() > most) {
                chosen.remove();
            }
        }
        return chosen.stream().sorted(BEST_FIRST).toList();
    }
}
