package dev.fusebox.gateway.served;

import java.util.function.Consumer;

/// Passes on the progress of one request until it is closed, which happens before the answer goes out: progress never
/// follows it. Thread-safe; [#send] blocks as the outlet does, and [#close] until progress that is being sent is out.
public final class ProgressGate {
    private final Consumer<byte[]> outlet;
    private boolean isClosed;

    /// @param outlet takes the frames on their way to the client
    public ProgressGate(Consumer<byte[]> outlet) {
        this.outlet = outlet;
    }

    /// Sends a frame of progress, or drops it if the answer is on its way.
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
