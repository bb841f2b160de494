package dev.fusebox.config;

import java.util.Optional;

/// The protocol era in which a server is addressed.
public enum EraPolicy {
    /// Legacy: with a handshake, up to revision 2025-11-25.
    SESSION("legacy"),
    /// Detected at the first connection.
    AUTO("auto"),
    /// Modern: without a handshake, from revision 2026-07-28 on.
    STATELESS("modern");

    private final String word;

    EraPolicy(String word) {
        this.word = word;
    }

    /// The value in the configuration: `legacy`, `auto` or `modern`.
    public String word() {
        return word;
    }

    /// The policy for a value in the configuration; empty if there is none.
    public static Optional<EraPolicy> of(String word) {
        for (EraPolicy policy : values()) {
            if (policy.word.equals(word)) {
                return Optional.of(policy);
            }
        }
        return Optional.empty();
    }
}
