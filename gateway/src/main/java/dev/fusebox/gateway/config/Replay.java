package dev.fusebox.gateway.config;

import java.util.Locale;

/// Which failed calls may be made again.
public enum Replay {
    /// Those that provably never reached the server, and those of tools that say they do no harm twice.
    SAFE,
    /// All whose failure may pass.
    ALWAYS,
    /// None.
    NEVER;

    /// The word for it in a configuration.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
