package dev.fusebox.gateway.pool;

/// How much depends on a connection.
enum Priority {
    /// The server has no other that would do.
    NEEDED,
    /// There is another already: it takes a free or idle place, and does not wait for one.
    SPARE
}
