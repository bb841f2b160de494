package dev.fusebox.simulation.pipeline;

import java.util.logging.Level;
import java.util.logging.Logger;

/// Silences the log during thousands of runs, which would spend their time on it. Thread-safe.
final class QuietLog {
    /// Referenced, or the level would be garbage-collected with the logger.
    private static final Logger LOG = Logger.getLogger("dev.fusebox.client");

    /// Servers are expected to fail here.
    private static final Logger GATEWAY = Logger.getLogger("dev.fusebox.gateway");

    private QuietLog() {}

    static void begin() {
        LOG.setLevel(Level.WARNING);
        GATEWAY.setLevel(Level.SEVERE);
    }
}
