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

/// Documents that can be searched, by their words at once, and by their meaning as far as their vectors are known.
/// Immutable but for the vectors, which come by and by, and for the index, which the first search or [#prepare]
/// makes; thread-safe.
public final class SearchIndex {
    /// What words weigh beside meaning; measured in docs/search.md.
    private static final double WORDS = 0.4;

    private static final Comparator<SearchHit> BEST_FIRST =
            Comparator.comparingDouble(SearchHit::score).reversed().thenComparingInt(SearchHit::index);

    private final List<ToolText> toolTexts;
    private final VectorStore vectors;

    private @Nullable LexicalIndex lexicalIndex;

    /// Vectors of the first documents, as far as whoever looked has seen.
    private final List<Embedding> reached = new ArrayList<>();

    private final Lock look = new ReentrantLock();

    /// Null as long as a vector is missing.
    private volatile @Nullable EmbeddingIndex embeddingIndex;

    /// @param vectors those that are known already, and those that will be
    public SearchIndex(List<ToolText> toolTexts, VectorStore vectors) {
        this.toolTexts = List.copyOf(toolTexts);
        this.vectors = vectors;
    }

    /// Makes the index that words are looked up in, unless it is there. Thousands of documents take a moment.
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

    /// Those whose vectors are not known yet, each text once.
    public List<ToolText> missing() {
        Map<String, ToolText> missing = new LinkedHashMap<>();
        for (ToolText toolText : toolTexts) {
            if (vectors.of(toolText) == null) {
                missing.putIfAbsent(toolText.text().key(), toolText);
            }
        }
        return List.copyOf(missing.values());
    }

    /// All of them.
    public List<ToolText> toolTexts() {
        return toolTexts;
    }

    public int size() {
        return toolTexts.size();
    }

    /// Whether meaning can count: all vectors are known. One document that has none would be last for no reason.
    /// While somebody else finds out, it is no: that may be a thread that gets hardly any time.
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

    /// Takes up what is known, and waits for whoever does so already: meaning counts afterwards, if it can.
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

    /// The documents that fit best, best first; of two that fit as well the one that comes first.
    ///
    /// @param meaning the vector of the query; null to look at words only
    /// @param wanted which documents count
    public List<SearchHit> find(String query, float @Nullable [] meaning, IntPredicate wanted, int most) {
        double[] scores = lexicalIndex().scores(query);
        EmbeddingIndex all = meaning == null ? null : embeddingIndex();
        if (meaning != null && all != null) {
            float[] likeness = all.likeness(meaning);
            for (int index = 0; index < scores.length; index++) {
                scores[index] = (Math.max(0, likeness[index]) + WORDS * scores[index]) / (1 + WORDS);
            }
        }
        return best(scores, wanted, most);
    }

    /// As many as are asked for, out of thousands: the worst of those that were chosen so far is at hand.
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
