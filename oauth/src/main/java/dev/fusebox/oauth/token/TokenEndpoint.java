package dev.fusebox.oauth.token;

/// The authorization server of a login. Thread-safe; everything blocks, for a limited time.
public interface TokenEndpoint {
    /// Requests new tokens with the refresh token of the record, or with the client credentials.
    RefreshAnswer refresh(TokenRecord tokenRecord);

    /// The login is over because its client is unknown: the next login needs another one.
    default void forgetClient(TokenRecord tokenRecord) {
        // There is nothing to forget.
    }

    /// Whether the authorization server answers a request without effect; otherwise why not.
    ProbeResult probe(TokenRecord tokenRecord);

    /// The result of a probe. Immutable.
    sealed interface ProbeResult {
        /// The server answered, with whatever status.
        record Answered() implements ProbeResult {}

        /// The server did not answer.
        record Silent(String message) implements ProbeResult {}
    }
}
