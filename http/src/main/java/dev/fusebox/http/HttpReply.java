package dev.fusebox.http;

/// The answer to one request: a whole response, or a stream of events. Thread-safe.
///
/// The first of [#respond] and [#stream] decides; a second one is a bug and throws IllegalStateException.
public interface HttpReply {
    /// Sends a whole response. Length, connection and framing headers are added here.
    ///
    /// Blocks while the client does not read, at most [HttpTimes#clientWrite] for each 128 KiB; then the
    /// connection is cut. An interrupt that comes during the write closes the connection.
    ///
    /// @return whether everything was handed to the system and the client had not left as far as is known
    boolean respond(int status, HttpHeaders headers, byte[] body);

    /// Sends the head of a stream of server-sent events. Never blocks.
    EventStream stream(int status, HttpHeaders headers);

    /// The same for a stream that carries more than the answer to one request.
    ///
    /// @param maxWaitingBytes takes the place of [HttpLimits#maxWaitingBytes]
    EventStream stream(int status, HttpHeaders headers, int maxWaitingBytes);

    /// Has the action run once if the client leaves before [#respond] or [EventStream#close] is called; at once if
    /// it has left already. From then on the value that `respond` returns tells.
    ///
    /// Leaving is the end of its sending side, a reset, or a cut by this side. Only from this call on, or from
    /// [#stream] on, somebody watches the connection. The action runs on any thread, also the calling one; it must
    /// be short and not block. One action for each request; a second one throws IllegalStateException.
    void onClientGone(Runnable action);

    /// Whether the client is known to have left. Without [#onClientGone] or [#stream] only a failed write tells.
    boolean isClientGone();
}
