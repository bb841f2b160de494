package dev.fusebox.client.stream;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;

/// Limits for one connection over a byte stream. Immutable.
///
/// @param frameBytes the longest message that is delivered
/// @param discardBytes a longer message is skipped up to this length; then the connection is closed
/// @param discardTime a longer message is skipped for this long; then the connection is closed
/// @param queueBytes how many bytes may be queued for a server that does not read
/// @param stuckWrite a server that has not read a byte of what is queued for this long is disconnected
/// @param maxDepth messages that are nested deeper are dropped
public record StreamLimits(
        int frameBytes, long discardBytes, Duration discardTime, int queueBytes, Duration stuckWrite, int maxDepth) {
    private static final int MEBIBYTE = 1 << 20;

    public StreamLimits {
        if (frameBytes < 1 || discardBytes < frameBytes || queueBytes < 1) {
            throw new IllegalArgumentException("frameBytes " + frameBytes + ", discardBytes " + discardBytes
                    + " and queueBytes " + queueBytes + " must be positive, and discardBytes not below frameBytes");
        }
    }

    /// As for processes: 16 MiB a message, skipping up to 256 MiB or 30 s; 64 MiB queued; stuck after 30 s.
    public static StreamLimits defaults() {
        return new StreamLimits(
                16 * MEBIBYTE,
                256L * MEBIBYTE,
                Duration.ofSeconds(30),
                64 * MEBIBYTE,
                Duration.ofSeconds(30),
                JsonView.MAX_DEPTH);
    }

    public StreamLimits withFrameBytes(int other) {
        return new StreamLimits(other, Math.max(other, discardBytes), discardTime, queueBytes, stuckWrite, maxDepth);
    }

    public StreamLimits withDiscardBytes(long other) {
        return new StreamLimits(frameBytes, other, discardTime, queueBytes, stuckWrite, maxDepth);
    }

    public StreamLimits withQueueBytes(int other) {
        return new StreamLimits(frameBytes, discardBytes, discardTime, other, stuckWrite, maxDepth);
    }

    public StreamLimits withStuckWrite(Duration other) {
        return new StreamLimits(frameBytes, discardBytes, discardTime, queueBytes, other, maxDepth);
    }

    public StreamLimits withMaxDepth(int other) {
        return new StreamLimits(frameBytes, discardBytes, discardTime, queueBytes, stuckWrite, other);
    }
}
