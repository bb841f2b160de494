package dev.fusebox.http;

/// The response to one request: a complete response, or a stream of events. Thread-safe; [#respond] blocks.
///
/// The first call of [#respond] or [#stream] decides; a second one is a bug and throws IllegalStateException.
public interface HttpReply {
    /// Sends a complete response. Adds the headers for length, connection and framing.
    ///
    /// Blocks while the client does not read, at most [HttpTimes#clientWrite] for each 128 KiB; then the
    /// connection is closed. An interrupt during the write closes the connection.
    ///
    /// @return whether everything was handed to the operating system and the client is not known to have
    /// disconnected
    boolean respond(int status, HttpHeaders headers, byte[] body);

    /// Sends the head of a stream of server-sent events. Never blocks.
    EventStream stream(int status, HttpHeaders headers);

    /// The same for a stream that carries more than the response to one request.
    ///
    /// @param maxWaitingBytes replaces [HttpLimits#maxWaitingBytes]
    EventStream stream(int status, HttpHeaders headers, int maxWaitingBytes);

    /// Runs the action once if the client disconnects before [#respond] or [EventStream#close] is called;
    /// immediately if it has already disconnected. Afterwards, the return value of `respond` shows it.
    ///
    /// A disconnect is the end of the client's sending side, a reset, or a close by the server. The connection is
    /// watched only after this call or [#stream]. The action runs on any thread, including the caller's; it must
    /// be short and not block. One action per request; a second one throws IllegalStateException.
    void onClientGone(Runnable action);

    /// Whether the client is known to have disconnected. Without [#onClientGone] or [#stream], only a failed write
    /// shows it.
    boolean isClientGone();
}
