package dev.fusebox.search;

import java.util.Arrays;

/// An inverted index: a table of words, and for each a chain of entries with document and weight, the last
/// document first. Not thread-safe while entries are added.
///
/// Uses arrays of numbers instead of objects: ten thousand tools have three hundred thousand words.
final class Postings {
    /// The end of a chain.
    static final int NONE = -1;

    private static final int LEAST = 1024;

    private long[] words = new long[LEAST];
    private int[] latest = filled(LEAST);
    private int[] counts = new int[LEAST];
    private int used;

    private final int[] documents;
    private final float[] weights;
    private final int[] earlier;
    private int count;

    /// @param most the greatest number of entries
    Postings(int most) {
        documents = new int[most];
        weights = new float[most];
        earlier = new int[most];
    }

    private static int[] filled(int size) {
        int[] none = new int[size];
        Arrays.fill(none, NONE);
        return none;
    }

    /// Documents must be added one after the other, each with all its words.
    void add(int document, long word, float weight) {
        int slot = slot(word);
        int last = latest[slot];
        if (last != NONE && documents[last] == document) {
            weights[last] += weight;
            return;
        }
        if (last == NONE) {
            words[slot] = word;
            used++;
        }
        documents[count] = document;
        weights[count] = weight;
        earlier[count] = last;
        counts[slot]++;
        latest[slot] = count++;
        if (2 * used > words.length) {
            grow();
        }
    }

    /// The slot of a word, or the free slot for it.
    private int slot(long word) {
        int mask = words.length - 1;
        int slot = Long.hashCode(word) & mask;
        while (latest[slot] != NONE && words[slot] != word) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] ofWords = words;
        int[] ofLatest = latest;
        int[] ofCounts = counts;
        words = new long[2 * ofWords.length];
        latest = filled(words.length);
        counts = new int[words.length];
        for (int i = 0; i < ofWords.length; i++) {
            if (ofLatest[i] != NONE) {
                int slot = slot(ofWords[i]);
                words[slot] = ofWords[i];
                latest[slot] = ofLatest[i];
                counts[slot] = ofCounts[i];
            }
        }
    }

    /// The number of documents that contain the word.
    int count(long word) {
        return counts[slot(word)];
    }

    /// The entry of the last document with the word; [#NONE] if there is none.
    int latest(long word) {
        return latest[slot(word)];
    }

    /// The entry of the previous document.
    int earlier(int place) {
        return earlier[place];
    }

    int document(int place) {
        return documents[place];
    }

    float weight(int place) {
        return weights[place];
    }
}
