package dev.fusebox.search;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Vectors of texts, by the SHA-256 of each, so that a tool that comes back is not embedded again. Thread-safe.
public final class Vectors {
    /// 20,000 of them take 32 MB; more texts than that are not embedded.
    private static final int MOST = 20_000;

    /// A vector says what the lines of a text say together: the beginning of a description with its name, the first
    /// sentence alone, the names alone. Measured in docs/search.md.
    private static final float[] SHARES = {0.4f, 0.3f, 0.3f};

    private final Map<String, float[]> known = new ConcurrentHashMap<>();

    public Vectors() {
        // They come by and by.
    }

    float @Nullable [] of(Card card) {
        return known.get(card.text().key());
    }

    /// Finds out the vector of what a card says, if it is not known.
    public void learn(Card card, Embedder embedder) {
        Card.Text text = card.text();
        if (known.size() < MOST && !known.containsKey(text.key())) {
            known.put(text.key(), mean(text.lines().split("\n", SHARES.length), embedder));
        }
    }

    private static float[] mean(String[] lines, Embedder embedder) {
        float[] mean = embedder.embed(lines[0]);
        for (int line = 0; line < lines.length; line++) {
            float[] vector = line == 0 ? mean.clone() : embedder.embed(lines[line]);
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (line == 0 ? 0 : mean[i]) + SHARES[line] * vector[i];
            }
        }
        return mean;
    }
}
