package dev.fusebox.search;

import java.util.Arrays;

/// The words of a document in the form of [Tokenizer], each with its weight; a word that occurs twice counts
/// twice. Immutable.
final class TermCounts {
    private final long[] words;
    private final float[] weights;

    /// A part of a document, and the weight of each of its words.
    record Field(String text, float weight) {}

    TermCounts(Field... fields) {
        long[] all = new long[0];
        float[] theirs = new float[0];
        for (Field field : fields) {
            long[] more = Tokenizer.of(field.text());
            int before = all.length;
            all = Arrays.copyOf(all, before + more.length);
            theirs = Arrays.copyOf(theirs, all.length);
            System.arraycopy(more, 0, all, before, more.length);
            Arrays.fill(theirs, before, all.length, field.weight());
        }
        words = all;
        weights = theirs;
    }

    /// Words and weights that were counted before.
    TermCounts(long[] words, float[] weights) {
        this.words = words;
        this.weights = weights;
    }

    int size() {
        return words.length;
    }

    long word(int index) {
        return words[index];
    }

    float weight(int index) {
        return weights[index];
    }
}
