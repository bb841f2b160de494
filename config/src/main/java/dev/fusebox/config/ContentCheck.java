package dev.fusebox.config;

import java.util.Optional;

/// Decides whether the current content of a configuration file may be used. Thread-safe; may block on disk I/O.
@FunctionalInterface
public interface ContentCheck {
    /// For a file that the user named, or the user's own file.
    ContentCheck NONE = text -> Optional.empty();

    /// Why this content must not be used, as what follows "the configuration"; empty if it may be used.
    Optional<String> problem(byte[] text);
}
