package dev.fusebox.testkit.server;

import java.time.Duration;

/// What is wrong with a line between a client and a server. Values; immutable.
public sealed interface LineFault {
    /// Nothing.
    record None() implements LineFault {}

    /// Nobody listens: connecting is refused at once. Connections that exist are reset.
    record Refused() implements LineFault {}

    /// Connecting gets no answer at all, as behind a firewall that drops. Connections that exist go on.
    record Unanswered() implements LineFault {}

    /// Connecting works, and the connection is reset at once. Connections that exist are reset.
    record Reset() implements LineFault {}

    /// Connecting works, bytes vanish in both directions, and no end is ever told. Connections that exist, too.
    record BlackHole() implements LineFault {}

    /// What the server sends comes later by so much, each piece for itself.
    record Delayed(Duration by) implements LineFault {}

    /// What the server sends comes one byte at a time, so far apart.
    record Dripping(Duration apart) implements LineFault {}

    /// A connection ends in good order after the server has sent so many bytes over it.
    record CutAfter(long bytes) implements LineFault {}

    /// A connection is reset after the server has sent so many bytes over it.
    record ResetAfter(long bytes) implements LineFault {}

    /// A connection is ended towards the client with the first bytes it sends, which the server still gets.
    record HalfClosed() implements LineFault {}
}
