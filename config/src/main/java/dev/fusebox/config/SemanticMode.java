package dev.fusebox.config;

/// Whether tools are found by meaning beside words.
public enum SemanticMode {
    /// As soon as the model has read all of them; nobody waits for that.
    AUTO,
    /// Always: who searches waits until they have been read.
    ON,
    /// Never; the model is not loaded.
    OFF
}
