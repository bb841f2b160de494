package dev.fusebox.gateway.doctor;

import java.util.Locale;

/// What is looked at.
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

    /// The spelling outside: `round-trip`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
