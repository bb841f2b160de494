package dev.fusebox.oauth;

/// The points of a refresh, a login and a logout at which a process is killed.
enum CrashPoint {
    /// A refresh is about to take the lock.
    BEFORE_LOCK,
    /// A refresh has taken the lock.
    LOCKED,
    /// A refresh is about to store its intent.
    BEFORE_INTENT,
    /// A refresh has stored its intent.
    INTENT_STORED,
    /// The request of a refresh has arrived, and had no effect yet.
    REQUEST_SENT,
    /// The answer of a refresh has arrived, and is about to be stored.
    ANSWERED,
    /// The answer of a refresh is being written: at some moments there is a temporary file.
    WRITING,
    /// The answer of a refresh has been stored.
    ANSWER_STORED,
    /// A login has its tokens, and is about to store them.
    BEFORE_LOGIN_STORED,
    /// A login has stored its tokens.
    LOGIN_STORED,
    /// A logout has deleted the record, and is revoking the tokens.
    LOGGING_OUT;

    /// Whether the authorization server may have used up the refresh token while its successor is lost.
    boolean mayLoseAnswer() {
        return this == ANSWERED || this == WRITING;
    }
}
