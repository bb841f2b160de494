package dev.fusebox.gateway.tools;

/// Whether tools are searched by meaning as well as by words.
public enum SemanticMode {
    /// As soon as all embeddings are computed; no search waits for them.
    AUTO,
    /// Always: a search waits until all embeddings are computed.
    ON,
    /// Never; the model is not loaded.
    OFF
}
