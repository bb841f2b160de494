package dev.fusebox.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A search index of documents: by words immediately, and by meaning as far as their vectors are known. Immutable
/// except for the vectors, which are added over time, and for the index, which the first search or [#prepare]
/// builds; thread-safe.
public final class SearchIndex {
    /// The weight of words against meaning; measured in docs/search.md.
    private static final double WORDS = 0.4;

    private static final Comparator<SearchHit> BEST_FIRST =
            Comparator.comparingDouble(SearchHit::score).reversed().thenComparingInt(SearchHit::index);

    private final List<ToolText> toolTexts;
    private final VectorStore vectors;

    private @Nullable LexicalIndex lexicalIndex;

    /// Vectors of the first documents, as far as the last lookup found them.
    private final List<Embedding> reached = new ArrayList<>();

    private final Lock look = new ReentrantLock();

    /// Null while a vector is missing.
    private volatile @Nullable EmbeddingIndex embeddingIndex;

    /// @param vectors the known vectors; more may be added
    public SearchIndex(List<ToolText> toolTexts, VectorStore vectors) {
        this.toolTexts = List.copyOf(toolTexts);
        this.vectors = vectors;
    }

    /// Builds the word index unless it exists. Takes a moment for thousands of documents.
    public void prepare() {
        lexicalIndex();
    }

    private synchronized LexicalIndex lexicalIndex() {
        LexicalIndex known = lexicalIndex;
        if (known == null) {
            known = new LexicalIndex(toolTexts);
            lexicalIndex = known;
        }
        return known;
    }

    /// The texts whose vectors are unknown, each text once.
    public List<ToolText> missing() {
        Map<String, ToolText> missing = new LinkedHashMap<>();
        for (ToolText toolText : toolTexts) {
            if (vectors.of(toolText) == null) {
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

    /// Whether search by meaning is possible: all vectors are known. A document without a vector would be last for
    /// no reason. Returns false while another thread updates this, which may have a low priority.
    public boolean isWhole() {
        return embeddingIndex() != null;
    }

    private @Nullable EmbeddingIndex embeddingIndex() {
        if (embeddingIndex == null && look.tryLock()) {
            try {
                takeUp();
            } finally {
                look.unlock();
            }
        }
        return embeddingIndex;
    }

    /// Looks up the known vectors, after waiting for another thread that does so; afterwards search by meaning is
    /// used if possible.
    public void gather() {
        look.lock();
        try {
            takeUp();
        } finally {
            look.unlock();
        }
    }

    private void takeUp() {
        while (embeddingIndex == null) {
            Embedding next = reached.size() < toolTexts.size() ? vectors.of(toolTexts.get(reached.size())) : null;
            if (next != null) {
                reached.add(next);
            } else if (reached.size() < toolTexts.size()) {
                return;
            } else {
                embeddingIndex = new EmbeddingIndex(reached);
                reached.clear();
            }
        }
    }

    /// The best matches, best first; of two with equal scores the one with the lower index.
    ///
    /// @param meaning the vector of the query; null to search by words only
    /// @param wanted which documents to consider
    public List<SearchHit> find(String query, float @Nullable [] meaning, IntPredicate wanted, int most) {
        double[] scores = lexicalIndex().scores(query);
        EmbeddingIndex all = meaning == null ? null : embeddingIndex();
        if (meaning != null && all != null) {
            float[] likeness = all.similarity(meaning);
            for (int index = 0; index < scores.length; index++) {
                scores[index] = (Math.max(0, likeness[index]) + WORDS * scores[index]) / (1 + WORDS);
            }
        }
        return best(scores, wanted, most);
    }

    /// The best few out of thousands: a heap whose top is the worst of those chosen so far.
    private static List<SearchHit> best(double[] scores, IntPredicate wanted, int most) {
        PriorityQueue<SearchHit> chosen = new PriorityQueue<>(BEST_FIRST.reversed());
        for (int index = 0; index < scores.length; index++) {
            SearchHit worst = chosen.peek();
            boolean isAmong = worst == null || chosen.size() < most || scores[index] > worst.score();
            if (scores[index] > 0 && isAmong && wanted.test(index)) {
                chosen.add(new SearchHit(index, scores[index]));
            }
            if (chosen.size() > most) {
                chosen.remove();
            }
        }
        return chosen.stream().sorted(BEST_FIRST).toList();
    }
}
