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
/// Immutable but for the vectors, which come by and by, and for the index, which the first search or [#prepare] makes;
/// thread-safe.
public final class Library {
    /// What words weigh beside meaning; measured in docs/search.md.
    private static final double WORDS = 0.4;

    private static final Comparator<Hit> BEST_FIRST =
            Comparator.comparingDouble(Hit::score).reversed().thenComparingInt(Hit::index);

    private final List<Card> cards;
    private final Vectors vectors;

    private @Nullable Lexicon lexicon;

    /// Vectors of the first documents, as far as whoever looked has seen.
    private final List<Meaning> reached = new ArrayList<>();

    private final Lock look = new ReentrantLock();

    /// Null as long as a vector is missing.
    private volatile @Nullable Meanings meanings;

    /// @param vectors those that are known already, and those that will be
    public Library(List<Card> cards, Vectors vectors) {
        this.cards = List.copyOf(cards);
        this.vectors = vectors;
    }

    /// Makes the index that words are looked up in, unless it is there. Thousands of documents take a moment.
    public void prepare() {
        lexicon();
    }

    private synchronized Lexicon lexicon() {
        Lexicon known = lexicon;
        if (known == null) {
            known = new Lexicon(cards);
            lexicon = known;
        }
        return known;
    }

    /// Those whose vectors are not known yet, each text once.
    public List<Card> missing() {
        Map<String, Card> missing = new LinkedHashMap<>();
        for (Card card : cards) {
            if (vectors.of(card) == null) {
                missing.putIfAbsent(card.text().key(), card);
            }
        }
        return List.copyOf(missing.values());
    }

    /// All of them.
    public List<Card> cards() {
        return cards;
    }

    public int size() {
        return cards.size();
    }

    /// Whether meaning can count: all vectors are known. One document that has none would be last for no reason. While
    /// somebody else finds out, it is no: that may be a thread that gets hardly any time.
    public boolean isWhole() {
        return meanings() != null;
    }

    private @Nullable Meanings meanings() {
        if (meanings == null && look.tryLock()) {
            try {
                takeUp();
            } finally {
                look.unlock();
            }
        }
        return meanings;
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
        while (meanings == null) {
            Meaning next = reached.size() < cards.size() ? vectors.of(cards.get(reached.size())) : null;
            if (next != null) {
                reached.add(next);
            } else if (reached.size() < cards.size()) {
                return;
            } else {
                meanings = new Meanings(reached);
                reached.clear();
            }
        }
    }

    /// The documents that fit best, best first; of two that fit as well the one that comes first.
    ///
    /// @param meaning the vector of the query; null to look at words only
    /// @param wanted which documents count
    public List<Hit> find(String query, float @Nullable [] meaning, IntPredicate wanted, int most) {
        double[] scores = lexicon().scores(query);
        Meanings all = meaning == null ? null : meanings();
        if (meaning != null && all != null) {
            float[] likeness = all.likeness(meaning);
            for (int index = 0; index < scores.length; index++) {
                scores[index] = (Math.max(0, likeness[index]) + WORDS * scores[index]) / (1 + WORDS);
            }
        }
        return best(scores, wanted, most);
    }

    /// As many as are asked for, out of thousands: the worst of those that were chosen so far is at hand.
    private static List<Hit> best(double[] scores, IntPredicate wanted, int most) {
        PriorityQueue<Hit> chosen = new PriorityQueue<>(BEST_FIRST.reversed());
        for (int index = 0; index < scores.length; index++) {
            Hit worst = chosen.peek();
            boolean isAmong = worst == null || chosen.size() < most || scores[index] > worst.score();
            if (scores[index] > 0 && isAmong && wanted.test(index)) {
                chosen.add(new Hit(index, scores[index]));
            }
            if (chosen.size() > most) {
                chosen.remove();
            }
        }
        return chosen.stream().sorted(BEST_FIRST).toList();
    }
}
