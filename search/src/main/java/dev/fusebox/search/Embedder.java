package dev.fusebox.search;

/// Puts the meaning of a text into numbers. Thread-safe; takes milliseconds of a processor's time.
@FunctionalInterface
public interface Embedder {
    /// A vector of length 1; those of texts that mean the same point the same way.
    float[] embed(String text);
}
