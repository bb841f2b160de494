package dev.fusebox.gateway.session;

import java.util.function.Consumer;

/// Passes on the progress of one request until it is closed. It is closed before the answer is sent, so progress
/// never follows the answer. Thread-safe; [#send] blocks as the outlet does, and [#close] until progress that is
/// being sent is out.
public final class ProgressGate {
    private final Consumer<byte[]> outlet;
    private boolean isClosed;

    /// @param outlet takes the frames on their way to the client
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
