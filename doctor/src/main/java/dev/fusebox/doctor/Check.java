package dev.fusebox.doctor;

import java.util.Locale;

/// A kind of diagnostic check.
public enum Check {
    CONFIG,
    ENVIRONMENT,
    COMMAND,
    LAUNCH,
    SPAWN,
    NETWORK,
    AUTH,
    HANDSHAKE,
    TOOLS,
    LISTS,
    ROUND_TRIP,
    GATEWAY,
    ORPHANS,
    FILES,
    MEMORY,
    TOKENS;

    /// The name in JSON, for example `round-trip`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The heading of its findings in text. Servers are often called `files` or `memory`, but never by two words.
    public String heading() {
        if (this == MEMORY) {
            return "memory use";
        }
        return this == FILES ? "state folder" : toString();
    }
}
