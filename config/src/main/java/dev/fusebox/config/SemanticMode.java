package dev.fusebox.config;

/// Whether tools are also found by meaning.
public enum SemanticMode {
    /// As soon as the model has indexed most tools; no search waits for that.
    AUTO,
    /// Always: a search waits until all tools are indexed.
    ON,
    /// Never; the model is not loaded.
    OFF
}
