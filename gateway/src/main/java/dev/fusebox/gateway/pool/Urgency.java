package dev.fusebox.gateway.pool;

/// How much depends on a connection.
enum Urgency {
    /// The server has no other that would do.
    NEEDED,
    /// There is another already: it takes what is free or idle, and nobody waits for it.
    SPARE
}
