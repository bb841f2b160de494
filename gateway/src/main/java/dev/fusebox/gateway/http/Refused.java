package dev.fusebox.gateway.http;

/// A request that is answered with an error by the front itself, after which its connection is closed.
///
/// Thrown from deep inside of the reading, caught in one place, and so without a stack.
final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    private Refused(int status, String why) {
        super(why, null, false, false);
        this.status = status;
    }

    static Refused because(int status, String why) {
        return new Refused(status, why);
    }

    /// Not as RFC 9112 wants it.
    static Refused malformed(String why) {
        return new Refused(400, why);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
