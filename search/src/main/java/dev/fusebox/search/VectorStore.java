package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import dev.fusebox.search.model.SentenceModel;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A store of vectors by the SHA-256 of their texts, so that a tool that reappears is not embedded again.
/// Thread-safe; [#learn] takes as long as the model.
public final class VectorStore {
    /// 20,000 vectors take 10 MB; further texts are not embedded.
    static final int MOST = 20_000;

    private final Map<String, Embedding> known = new ConcurrentHashMap<>();

    private final int length;

    /// For vectors of the sentence model.
    public VectorStore() {
        this(SentenceModel.WIDTH);
    }

    /// @param length the length of its vectors
    VectorStore(int length) {
        this.length = length;
    }

    @Nullable
    Embedding of(ToolText toolText) {
        return known.get(toolText.text().key());
    }

    /// Computes the vectors of these texts, unless they are known or there is no room.
    ///
    /// @return how many are known now and were not before
    public int learn(List<ToolText> toolTexts, Embedder embedder) {
        List<ToolText.Text> unknown = toolTexts.stream()
                .map(ToolText::text)
                .filter(text -> !known.containsKey(text.key()))
                .limit(Math.max(0, MOST - known.size()))
                .toList();
        List<float[]> computed =
                embedder.embedAll(unknown.stream().map(ToolText.Text::line).toList());
        int learned = 0;
        for (int i = 0; i < unknown.size(); i++) {
            Embedding embedding = Embedding.of(computed.get(i));
            learned += put(unknown.get(i).key(), embedding) ? 1 : 0;
        }
        return learned;
    }

    /// Several threads may learn at once. One vector that is not a number would make all scores of a search useless.
    private synchronized boolean put(String key, Embedding embedding) {
        return embedding.isFinite() && known.size() < MOST && known.putIfAbsent(key, embedding) == null;
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
        return VectorFile.written(known, length);
    }

    /// Adds saved vectors, as far as there is room.
    ///
    /// @return false if the data are damaged or of another model: then nothing is added
    public boolean read(byte[] written) {
        return VectorFile.read(written, length, this::put);
    }

    /// Adds the vectors of another store in the same way.
    public void take(VectorStore other) {
        other.known.forEach(this::put);
    }
}
