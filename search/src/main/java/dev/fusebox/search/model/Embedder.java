package dev.fusebox.search.model;

import java.util.List;

/// An embedding model: converts the meaning of a text to a vector. Thread-safe; uses CPU time of the caller.
@FunctionalInterface
public interface Embedder {
    /// A vector of length 1, or of zeros if nothing in the text is known; texts with similar meanings have similar
    /// vectors.
    float[] embed(String text);

    /// Whether a word of the text is in the vocabulary. Others are only known by their parts.
    default boolean hasKnownWord(String text) {
        return true;
    }

    /// Different for models that embed a text differently, if the vectors are to be stored.
    default int version() {
        return 0;
    }

    /// The vectors of several texts in the order of the texts. A model may embed them faster together.
    default List<float[]> embedAll(List<String> texts) {
        return texts.stream().map(this::embed).toList();
    }
}
