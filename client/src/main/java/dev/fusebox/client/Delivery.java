package dev.fusebox.client;

import java.util.Locale;

/// How far a failed call got. Decides whether it may be tried again.
public enum Delivery {
    /// It provably never reached the server.
    NOT_SENT,
    /// The server answered, with a refusal.
    REJECTED,
    /// It was sent, and nobody knows what became of it: there was no answer, or none that could be read.
    UNKNOWN;

    /// The spelling on the wire: `not_sent`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
