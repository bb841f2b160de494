package dev.fusebox.gateway.front;

/// A client session over HTTP, of either transport. Thread-safe; nothing blocks.
sealed interface HttpClientSession permits HttpSession, SseSession {
    String id();

    /// The number of unanswered requests.
    int inFlight();

    /// Rejects new requests; those in flight continue.
    void drain();

    /// Sets the callback for the moments when the last request has been answered. It must not block.
    void onQuiet(Runnable action);

    /// Checks whether the client's stream is still connected.
    void probe();

    /// Nanoseconds since the last use of the session; 0 while it is in use.
    long idleNanos();

    /// Ends the session as soon as all responses are sent.
    void closeWhenAnswered();

    /// Ends the session from this side; calls in flight fail.
    void close();
}
