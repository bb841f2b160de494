package dev.fusebox.search;

import java.util.Map;

/// Words of a document with what each weighs, in as little room as thousands of them may take: the same word is the
/// same object in all. Immutable.
final class Bag {
    private final String[] words;
    private final float[] weights;

    Bag(Map<String, Float> weighed) {
        words = new String[weighed.size()];
        weights = new float[words.length];
        int next = 0;
        for (Map.Entry<String, Float> each : weighed.entrySet()) {
            words[next] = each.getKey().intern();
            weights[next] = each.getValue();
            next++;
        }
    }

    int size() {
        return words.length;
    }

    String word(int index) {
        return words[index];
    }

    float weight(int index) {
        return weights[index];
    }
}
