package dev.fusebox.gateway.session;

import java.util.function.Consumer;

/// A gate for the progress notifications of one request. It is closed before the response is sent, so progress
/// never follows the response. Thread-safe; [#send] blocks as the outlet does, and [#close] until a progress
/// notification that is being sent is out.
public final class ProgressGate {
    private final Consumer<byte[]> outlet;
    private boolean isClosed;

    /// @param outlet sends frames to the client
    public ProgressGate(Consumer<byte[]> outlet) {
        this.outlet = outlet;
    }

    /// Sends a progress notification, or drops it once closed.
    public synchronized void send(byte[] frame) {
        if (!isClosed) {
            outlet.accept(frame);
        }
    }

    /// No progress is sent from now on.
    public synchronized void close() {
        isClosed = true;
    }
}
