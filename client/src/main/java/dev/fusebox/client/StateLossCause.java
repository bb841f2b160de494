package dev.fusebox.client;

/// Why a session has lost what a process kept of it in memory, where the connection to the process that answers
/// cannot know that.
public enum StateLossCause {
    /// The gateway that the session used before has ended, and its processes with it.
    GATEWAY_ENDED,
    /// The session has connected to its gateway again; a process of its own ended with its former connection.
    RECONNECTED,
    /// The configuration of the server has changed, or it was disabled for a time.
    RECONFIGURED
}
