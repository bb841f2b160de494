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

    /// The external spelling, for example `round-trip`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
