package dev.fusebox.gateway.lifecycle;

/// What is to be done next for a server, if nothing happens before. Immutable.
///
/// @param at by the monotonic clock
record NextAction(What what, long at) {
    /// The errands.
    enum What {
        /// Its process is started again.
        RESTART,
        /// What it offers is read again.
        REREAD,
        /// It is asked whether it is there again.
        POLL,
        /// It is asked whether it is still there.
        PING,
        /// It is tried again although it was given up.
        SELF_PROBE
    }
}
