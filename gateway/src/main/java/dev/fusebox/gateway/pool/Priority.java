package dev.fusebox.gateway.pool;

/// The priority of a request for a connection.
enum Priority {
    /// The server has no other connection that would do.
    NEEDED,
    /// There is another connection already: this request takes a free or idle place, and does not wait for one.
    SPARE
}
