package dev.fusebox.config;

import java.util.Optional;

/// Decides whether the present content of a configuration file may be used. Thread-safe; may block as the disk does.
@FunctionalInterface
public interface ContentCheck {
    /// For a file that the user has named, or that is the user's own.
    ContentCheck NONE = text -> Optional.empty();

    /// Why this content must not be used, as what follows "the configuration"; empty if it may be used.
    Optional<String> objection(byte[] text);
}
