package dev.fusebox.oauth.token;

/// Why a refresh did not succeed, with the tokens unchanged. Immutable.
///
/// @param message for people, without secrets
public record RefreshFailure(Kind kind, String message) {
    /// Whether the storage of this machine is the cause.
    boolean isOfStore() {
        return kind == Kind.KEYRING_LOCKED || kind == Kind.STORE_UNUSABLE;
    }

    /// What is known about the request.
    public enum Kind {
        /// The request was not sent.
        NOT_SENT,
        /// The request was not sent, because the keyring, or the program in its place, cannot be used.
        KEYRING_LOCKED,
        /// The request was not sent, because the stored login cannot be read or written.
        STORE_UNUSABLE,
        /// The authorization server answered, but with neither tokens nor a final refusal.
        REFUSED_FOR_NOW,
        /// The request was sent, and it is unknown whether it had an effect.
        NO_ANSWER
    }
}
