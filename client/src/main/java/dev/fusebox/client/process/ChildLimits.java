package dev.fusebox.client.process;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;

/// Limits for the resources that a child process may use. Immutable.
///
/// @param frameBytes the longest line that is delivered
/// @param discardBytes a longer line is skipped up to this length; then the child is killed
/// @param discardTime a longer line is skipped for so long; then the child is killed
/// @param queueBytes how much input may be queued for a child that does not read
/// @param stuckWrite a child that has not read a byte of queued input for so long is killed
/// @param start the longest wait for a start, including the wait for a start permit
/// @param maxDepth a line that is nested deeper is not a message
public record ChildLimits(
        int frameBytes,
        long discardBytes,
        Duration discardTime,
        int queueBytes,
        Duration stuckWrite,
        Duration start,
        int maxDepth) {
    private static final int MEBIBYTE = 1 << 20;

    public ChildLimits {
        if (frameBytes < 1 || discardBytes < frameBytes || queueBytes < 1) {
            throw new IllegalArgumentException("frameBytes " + frameBytes + ", discardBytes " + discardBytes
                    + " and queueBytes " + queueBytes + " must be positive, and discardBytes not below frameBytes");
        }
    }

    /// 16 MiB a line, skipping up to 256 MiB or 30 s; 64 MiB queued; stuck after 30 s; 30 s for a start.
    public static ChildLimits defaults() {
        return new ChildLimits(
                16 * MEBIBYTE,
                256L * MEBIBYTE,
                Duration.ofSeconds(30),
                64 * MEBIBYTE,
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                JsonView.MAX_DEPTH);
    }

    public ChildLimits withFrameBytes(int other) {
        return new ChildLimits(other, discardBytes, discardTime, queueBytes, stuckWrite, start, maxDepth);
    }

    public ChildLimits withDiscardBytes(long other) {
        return new ChildLimits(frameBytes, other, discardTime, queueBytes, stuckWrite, start, maxDepth);
    }

    public ChildLimits withDiscardTime(Duration other) {
        return new ChildLimits(frameBytes, discardBytes, other, queueBytes, stuckWrite, start, maxDepth);
    }

    public ChildLimits withQueueBytes(int other) {
        return new ChildLimits(frameBytes, discardBytes, discardTime, other, stuckWrite, start, maxDepth);
    }

    public ChildLimits withStuckWrite(Duration other) {
        return new ChildLimits(frameBytes, discardBytes, discardTime, queueBytes, other, start, maxDepth);
    }

    public ChildLimits withStart(Duration other) {
        return new ChildLimits(frameBytes, discardBytes, discardTime, queueBytes, stuckWrite, other, maxDepth);
    }

    public ChildLimits withMaxDepth(int other) {
        return new ChildLimits(frameBytes, discardBytes, discardTime, queueBytes, stuckWrite, start, other);
    }
}
