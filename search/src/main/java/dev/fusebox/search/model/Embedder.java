package dev.fusebox.search.model;

import java.util.List;

/// An embedding model: converts the meaning of a text to a vector. Thread-safe; takes milliseconds of CPU time for
/// each text.
@FunctionalInterface
public interface Embedder {
    /// A vector of length 1; texts with similar meanings have similar vectors.
    float[] embed(String text);

    /// The vectors of several texts in the order of the texts. A model may embed them faster together.
    default List<float[]> embedAll(List<String> texts) {
        return texts.stream().map(this::embed).toList();
    }
}
