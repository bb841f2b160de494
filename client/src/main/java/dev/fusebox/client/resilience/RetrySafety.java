package dev.fusebox.client.resilience;

import java.util.Locale;
import java.util.Optional;

/// The rule that decides which calls may be sent again.
public enum RetrySafety {
    /// Calls that provably never reached the server, and idempotent tools.
    SAFE,
    /// Every call that another attempt may help.
    ALWAYS,
    /// No call.
    NEVER;

    /// The rule for a configuration value; empty if it is unknown.
    public static Optional<RetrySafety> spelled(String word) {
        for (RetrySafety retrySafety : values()) {
            if (retrySafety.toString().equals(word)) {
                return Optional.of(retrySafety);
            }
        }
        return Optional.empty();
    }

    /// The configuration value: `safe`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
