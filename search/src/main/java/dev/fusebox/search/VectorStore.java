package dev.fusebox.search;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Vectors of texts, by the SHA-256 of each, so that a tool that comes back is not embedded again. Thread-safe.
public final class VectorStore {
    /// 20,000 of them take 10 MB; more texts than that are not embedded.
    private static final int MOST = 20_000;

    /// A vector says what the lines of a text say together: the beginning of a description with its name, the
    /// first sentence with what the tool takes, the names alone. Measured in docs/search.md.
    static final float[] SHARES = {0.4f, 0.3f, 0.3f};

    private final Map<String, Embedding> known = new ConcurrentHashMap<>();

    public VectorStore() {
        // They come by and by.
    }

    @Nullable
    Embedding of(ToolText toolText) {
        return known.get(toolText.text().key());
    }

    /// Finds out the vector of what a card says, if it is not known.
    ///
    /// @return whether it is known now and was not before
    public boolean learn(ToolText toolText, Embedder embedder) {
        ToolText.Text text = toolText.text();
        if (known.size() >= MOST || known.containsKey(text.key())) {
            return false;
        }
        Embedding embedding = Embedding.of(mean(text.lines().split("\n", SHARES.length), embedder));
        return known.putIfAbsent(text.key(), embedding) == null;
    }

    private static float[] mean(String[] lines, Embedder embedder) {
        float[] mean = embedder.embed(lines[0]);
        for (int line = 0; line < lines.length; line++) {
            float[] vector = line == 0 ? mean.clone() : embedder.embed(lines[line]);
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (line == 0 ? 0 : mean[i]) + SHARES[line] * vector[i];
            }
        }
        // A text that says one thing in three ways is not to be found before others for that.
        return ofLengthOne(mean);
    }

    /// Works on the array itself.
    static float[] ofLengthOne(float[] vector) {
        double square = 0;
        for (float value : vector) {
            square += value * value;
        }
        float length = (float) Math.max(1e-12, Math.sqrt(square));
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= length;
        }
        return vector;
    }

    /// Forgets, if there is not room for all of these, as much as it takes of what is of no use to them.
    public void makeRoomFor(Collection<ToolText> toolTexts) {
        Set<String> needed =
                toolTexts.stream().map(toolText -> toolText.text().key()).collect(Collectors.toSet());
        long missing = needed.stream().filter(key -> !known.containsKey(key)).count();
        Iterator<String> old = known.keySet().iterator();
        for (long excess = known.size() + missing - MOST; excess > 0 && old.hasNext(); ) {
            if (!needed.contains(old.next())) {
                old.remove();
                excess--;
            }
        }
    }

    public int size() {
        return known.size();
    }

    // ---- From one run to the next

    /// All of them, for [#read] of another run.
    public byte[] written() {
        return VectorFile.written(known);
    }

    /// Takes up what was written, as far as there is room and it is of the length of what is known.
    ///
    /// @return false if it is damaged or of another model: then nothing is taken up
    public boolean read(byte[] written) {
        int length = length();
        return VectorFile.read(written, (key, embedding) -> take(key, embedding, length));
    }

    /// Takes up those of another in the same way.
    public void take(VectorStore other) {
        int length = length();
        other.known.forEach((key, embedding) -> take(key, embedding, length));
    }

    /// Of any that is known; negative if none is.
    private int length() {
        return known.values().stream().mapToInt(Embedding::length).findAny().orElse(-1);
    }

    private void take(String key, Embedding embedding, int length) {
        if (known.size() < MOST && (length < 0 || embedding.length() == length)) {
            known.putIfAbsent(key, embedding);
        }
    }
}
