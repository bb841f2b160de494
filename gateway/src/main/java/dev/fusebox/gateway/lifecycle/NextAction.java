package dev.fusebox.gateway.lifecycle;

/// The next scheduled action for a server. Immutable.
///
/// @param at by the monotonic clock
record NextAction(Kind kind, long at) {
    /// The kinds of action.
    enum Kind {
        /// Restart its process.
        RESTART,
        /// Read its lists again.
        REREAD,
        /// Check whether it is back.
        POLL,
        /// Check whether it is still alive.
        PING,
        /// Try a server that used up its crash budget.
        SELF_PROBE
    }
}
