package dev.fusebox.client;

import dev.fusebox.protocol.MessagePreview;

/// Hears what comes from a server. Called on the wire's reader thread: nothing here may block or take long.
public interface WireListener {
    /// One frame. The buffer is the wire's own and changes after the return.
    void frame(byte[] buffer, int from, int to);

    /// A frame was longer than the limit, or there was no memory for it, and was skipped.
    ///
    /// @param seen what its ends tell
    void tooLong(MessagePreview seen, long bytes, long limit);

    /// A frame of ours could not be delivered, or was refused, while the line is as good as before.
    void refused(byte[] frame, CallFailure failure);

    /// Nothing more will come. Called once, after the last frame.
    void lost(CallFailure failure);
}
