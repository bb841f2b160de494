package dev.fusebox.http;

import org.jspecify.annotations.Nullable;

/// A request that is answered with an error by the front itself, after which its connection is closed.
///
/// Thrown from deep inside of the reading, caught in one place, and so without a stack.
final class RequestRejected extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    /// Of the page that may read the answer; null if there is none.
    private final @Nullable String origin;

    private RequestRejected(int status, String why, @Nullable String origin) {
        super(why, null, false, false);
        this.status = status;
        this.origin = origin;
    }

    static RequestRejected because(int status, String why) {
        return new RequestRejected(status, why, null);
    }

    /// Not as RFC 9112 wants it.
    static RequestRejected malformed(String why) {
        return new RequestRejected(400, why, null);
    }

    /// The same, readable for the page that sent the request.
    RequestRejected readableBy(@Nullable String page) {
        return page == null ? this : new RequestRejected(status, why(), page);
    }

    /// What goes with the answer beside its words.
    HttpHeaders headers() {
        return origin == null ? HttpHeaders.none() : HttpHeaders.readableBy(origin);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
