package dev.fusebox.config;

import java.util.Optional;

/// Which era a server is spoken to in.
public enum EraPolicy {
    /// With a handshake, up to revision 2025-11-25.
    SESSION("legacy"),
    /// The era is detected.
    AUTO("auto"),
    /// Without one, from revision 2026-07-28 on.
    STATELESS("modern");

    private final String word;

    EraPolicy(String word) {
        this.word = word;
    }

    /// The word for it in a configuration: `legacy`, `auto` or `modern`.
    public String word() {
        return word;
    }

    /// The policy that this word of a configuration means; empty if it means none.
    public static Optional<EraPolicy> of(String word) {
        for (EraPolicy policy : values()) {
            if (policy.word.equals(word)) {
                return Optional.of(policy);
            }
        }
        return Optional.empty();
    }
}
