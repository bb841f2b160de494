package dev.fusebox.client;

import dev.fusebox.protocol.MessagePreview;

/// Listener for the frames and the end of a [Wire]. Called on the reader thread of the wire: nothing here may
/// block or take long.
public interface WireListener {
    /// One frame. The wire reuses the buffer after the return.
    void frame(byte[] buffer, int from, int to);

    /// A frame was skipped, because it was over the limit or there was no memory for it.
    ///
    /// @param seen what the beginning and the end of the frame reveal
    void tooLong(MessagePreview seen, long bytes, long limit);

    /// A sent frame could not be delivered, or was rejected, and the connection stays usable.
    void refused(byte[] frame, CallFailure failure);

    /// The wire is closed. Called once, after the last frame.
    void lost(CallFailure failure);
}
