package dev.fusebox.http;

import org.jspecify.annotations.Nullable;

/// A request that the server itself answers with an error, after which its connection is closed. Immutable.
///
/// Thrown deep inside the reading and caught in one place, and so without a stack trace.
final class RequestRejected extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    /// The origin of the page that may read the response; null if there is none.
    private final @Nullable String origin;

    private RequestRejected(int status, String why, @Nullable String origin) {
        super(why, null, false, false);
        this.status = status;
        this.origin = origin;
    }

    static RequestRejected because(int status, String why) {
        return new RequestRejected(status, why, null);
    }

    /// A violation of RFC 9112.
    static RequestRejected malformed(String why) {
        return new RequestRejected(400, why, null);
    }

    /// The same, readable by the page that sent the request.
    RequestRejected readableBy(@Nullable String page) {
        return page == null ? this : new RequestRejected(status, why(), page);
    }

    /// The headers of the error response.
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
