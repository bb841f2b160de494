package dev.fusebox.oauth.token;

import java.time.Instant;

/// The state of a token record. Immutable.
///
/// ```
/// ready --intent--> refreshing --new tokens--> ready, generation + 1
///                      |--refused for now--> waiting --after a pause, intent--> refreshing
///                      |--no answer--> waiting --after a pause, a probe is answered, intent--> refreshing
///                      '--invalid_grant, or the client is unknown--> rejected --login--> ready, generation + 1
/// ```
///
/// A record that is `refreshing` while nobody holds its lock belongs to a process that ended between its request
/// and the end of it: that is a refresh without an answer.
public sealed interface TokenState {
    /// The tokens are the newest that are known.
    record Ready() implements TokenState {}

    /// A refresh request is about to be sent, or was.
    ///
    /// @param process that sends it, for messages
    /// @param attempts failed attempts in a row before this one
    /// @param lost the number of earlier requests with the same refresh token that had no answer
    /// @param unknown how often in a row the client was unknown to the authorization server before this one
    record Refreshing(Instant since, String process, int attempts, int lost, int unknown) implements TokenState {}

    /// The last refresh failed without effect on the tokens; another is due.
    ///
    /// @param attempts failed attempts in a row
    /// @param lost how many of all requests with this refresh token had no answer
    /// @param unknown how often in a row the client was unknown to the authorization server
    record Waiting(RefreshFailure failure, int attempts, Instant retryAt, int lost, int unknown)
            implements TokenState {}

    /// The authorization server rejects the refresh token or does not know the client, or there is no refresh token:
    /// only
    /// a login helps.
    ///
    /// @param reason for people
    record Rejected(String reason, Instant since) implements TokenState {}

    /// How many requests with the current refresh token had no answer, if no process is refreshing now.
    default int unanswered() {
        return switch (this) {
            case Ready _, Rejected _ -> 0;
            case Refreshing refreshing -> refreshing.lost() + 1;
            case Waiting waiting -> waiting.lost();
        };
    }
}
