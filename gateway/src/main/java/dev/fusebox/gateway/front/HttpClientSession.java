package dev.fusebox.gateway.front;

/// A client's session over HTTP, of either kind. Thread-safe; nothing blocks.
sealed interface HttpClientSession permits HttpSession, SseSession {
    String id();

    /// Requests that have not been answered.
    int inFlight();

    /// Refuses requests from now on; those that are being worked on go on.
    void takeNoMore();

    /// Whom to tell, from now on, whenever the last of these has been answered. The action must not block.
    void onQuiet(Runnable action);

    /// Finds out whether whoever listens is still there.
    void probe();

    /// Nanoseconds since anybody used the session; 0 while somebody does.
    long idleNanos();

    /// Ends it as soon as nothing is on its way to the client.
    void closeWhenAnswered();

    /// Ends it from this side; whoever waits for an answer is told.
    void close();
}
