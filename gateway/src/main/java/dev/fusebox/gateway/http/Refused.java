package dev.fusebox.gateway.http;

import org.jspecify.annotations.Nullable;

/// A request that is answered with an error by the front itself, after which its connection is closed.
///
/// Thrown from deep inside of the reading, caught in one place, and so without a stack.
final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    /// Of the page that may read the answer; null if there is none.
    private final @Nullable String origin;

    private Refused(int status, String why, @Nullable String origin) {
        super(why, null, false, false);
        this.status = status;
        this.origin = origin;
    }

    static Refused because(int status, String why) {
        return new Refused(status, why, null);
    }

    /// Not as RFC 9112 wants it.
    static Refused malformed(String why) {
        return new Refused(400, why, null);
    }

    /// The same, readable for the page that sent the request.
    Refused readableBy(@Nullable String page) {
        return page == null ? this : new Refused(status, why(), page);
    }

    /// What goes with the answer beside its words.
    Headers headers() {
        return origin == null ? Headers.none() : Headers.readableBy(origin);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
