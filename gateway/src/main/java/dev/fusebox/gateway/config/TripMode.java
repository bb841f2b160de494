package dev.fusebox.gateway.config;

import java.util.Locale;

/// What a breaker counts.
enum TripMode {
    /// Failures in a row.
    CONSECUTIVE,
    /// What a window of time holds.
    WINDOW;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
