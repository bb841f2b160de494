package dev.fusebox.search;

/// An embedding model: converts the meaning of a text to a vector. Thread-safe; takes milliseconds of CPU time.
@FunctionalInterface
public interface Embedder {
    /// A vector of length 1; texts with similar meanings have similar vectors.
    float[] embed(String text);
}
