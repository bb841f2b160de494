package dev.fusebox.oauth.protocol;

/// A document or URL of a server that cannot be used, with the reason. It has no stack trace, because hostile servers
/// can provoke it as often as they like.
final class InvalidMetadata extends Exception {
    private static final long serialVersionUID = 1;

    InvalidMetadata(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
