package dev.fusebox.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Documents that can be searched, by their words at once, and by their meaning as far as their vectors are known.
/// Immutable but for the vectors, which come by and by; thread-safe.
public final class Library {
    /// What words weigh beside meaning; measured in docs/search.md.
    private static final double WORDS = 0.4;

    /// What comes later in a description is about details, and blurs the rest.
    private static final int BEGINNING = 150;

    private final List<Document> documents;
    private final Lexicon lexicon;
    private final Vectors vectors;
    private final List<String> texts;
    private final float[][] meanings;
    private volatile boolean whole;

    /// @param vectors those that are known already, and those that will be
    public Library(List<Document> documents, Vectors vectors) {
        this.documents = List.copyOf(documents);
        this.lexicon = new Lexicon(this.documents);
        this.vectors = vectors;
        this.texts = this.documents.stream().map(Library::text).toList();
        this.meanings = new float[texts.size()][];
    }

    /// What of a document the model reads, in three lines: see [Vectors].
    private static String text(Document document) {
        String name = Words.spaced(document.name());
        String description = document.description().replaceAll("\\s+", " ").strip();
        int end = description.indexOf(". ");
        String beginning = description.substring(0, Math.min(BEGINNING, description.length()));
        String sentence = end < 20 || end > BEGINNING ? beginning : description.substring(0, end);
        return name + ": " + beginning + "\n" + sentence + "\n" + name + " " + Words.spaced(document.group());
    }

    /// The texts whose vectors are not known yet.
    public List<String> missing() {
        return texts.stream().filter(text -> !vectors.has(text)).distinct().toList();
    }

    public int size() {
        return documents.size();
    }

    /// Whether meaning can count: all vectors are known. One document that has none would be last for no reason.
    public boolean isWhole() {
        if (!whole) {
            boolean all = true;
            for (int index = 0; index < meanings.length && all; index++) {
                float[] own = vectors.of(texts.get(index));
                all = own != null;
                if (own != null) {
                    meanings[index] = own;
                }
            }
            whole = all;
        }
        return whole;
    }

    /// The documents that fit best, best first; of two that fit as well the one that comes first.
    ///
    /// @param meaning the vector of the query; null to look at words only
    /// @param wanted which documents count
    public List<Hit> find(String query, float @Nullable [] meaning, IntPredicate wanted, int most) {
        double[] scores = lexicon.scores(query);
        if (meaning != null && isWhole()) {
            for (int index = 0; index < scores.length; index++) {
                double likeness = Math.max(0, product(meaning, meanings[index]));
                scores[index] = (likeness + WORDS * scores[index]) / (1 + WORDS);
            }
        }
        List<Hit> hits = new ArrayList<>();
        for (int index = 0; index < scores.length; index++) {
            if (scores[index] > 0 && wanted.test(index)) {
                hits.add(new Hit(index, scores[index]));
            }
        }
        hits.sort(Comparator.comparingDouble(Hit::score).reversed().thenComparingInt(Hit::index));
        return List.copyOf(hits.subList(0, Math.min(most, hits.size())));
    }

    private static double product(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
