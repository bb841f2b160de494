package dev.fusebox.client.resilience;

import java.util.Locale;
import java.util.Optional;

/// What may be sent a second time.
public enum RetrySafety {
    /// What provably never reached the server, and tools that say that twice is the same as once.
    SAFE,
    /// Anything that another attempt may help.
    ALWAYS,
    /// Nothing.
    NEVER;

    /// The rule of a word in a configuration; empty if it is none.
    public static Optional<RetrySafety> spelled(String word) {
        for (RetrySafety retrySafety : values()) {
            if (retrySafety.toString().equals(word)) {
                return Optional.of(retrySafety);
            }
        }
        return Optional.empty();
    }

    /// The word for it in a configuration: `safe`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
