package dev.fusebox.search;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A store of vectors by the SHA-256 of their texts, so that a tool that reappears is not embedded again.
/// Thread-safe; [#learn] takes as long as the model.
public final class VectorStore {
    /// 20,000 vectors take 10 MB; further texts are not embedded.
    private static final int MOST = 20_000;

    /// The weights of a text's three lines in its vector: the beginning of the description with the name, the
    /// first sentence with the inputs, the names alone. Measured in docs/search.md.
    static final float[] SHARES = {0.4f, 0.3f, 0.3f};

    private final Map<String, Embedding> known = new ConcurrentHashMap<>();

    public VectorStore() {
        // Vectors are added over time.
    }

    @Nullable
    Embedding of(ToolText toolText) {
        return known.get(toolText.text().key());
    }

    /// Computes the vector of a text, unless it is known.
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
        // A text whose three lines agree must not rank before others because of that.
        return ofLengthOne(mean);
    }

    /// Changes the array itself.
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

    /// If there is not enough room for all of these, removes as many others as necessary.
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

    /// All vectors, for [#read] in another run.
    public byte[] written() {
        return VectorFile.written(known);
    }

    /// Adds saved vectors, as far as there is room and they have the length of the known ones.
    ///
    /// @return false if the data are damaged or of another model: then nothing is added
    public boolean read(byte[] written) {
        int length = length();
        return VectorFile.read(written, (key, embedding) -> take(key, embedding, length));
    }

    /// Adds the vectors of another store in the same way.
    public void take(VectorStore other) {
        int length = length();
        other.known.forEach((key, embedding) -> take(key, embedding, length));
    }

    /// The length of the known vectors; negative if there are none.
    private int length() {
        return known.values().stream().mapToInt(Embedding::length).findAny().orElse(-1);
    }

    private void take(String key, Embedding embedding, int length) {
        if (known.size() < MOST && (length < 0 || embedding.length() == length)) {
            known.putIfAbsent(key, embedding);
        }
    }
}
