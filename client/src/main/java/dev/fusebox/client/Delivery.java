package dev.fusebox.client;

import java.util.Locale;

/// Delivery state of a failed call. Decides whether a retry is safe.
public enum Delivery {
    /// The call provably never reached the server.
    NOT_SENT,
    /// The server responded with a rejection.
    REJECTED,
    /// The call was sent, and its effect is unknown: there was no response, or no readable one.
    UNKNOWN;

    /// The spelling on the wire: `not_sent`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
