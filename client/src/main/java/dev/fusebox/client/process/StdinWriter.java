package dev.fusebox.client.process;

import dev.fusebox.platform.SpawnedProcess;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// Queue of frames for the stdin of a child. Thread-safe; never blocks.
///
/// The caller itself writes what the pipe takes at once, which saves the hand-over to the writing thread. The
/// monitor keeps frames whole and in order; under it are only non-blocking writes.
final class StdinWriter {
    /// Up to this length a copy costs less than a second write for the line end.
    private static final int COPIED_BYTES = 32 << 10;

    private static final byte[] LINE_END = {'\n'};

    private final SpawnedProcess process;
    private final int limit;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int firstWritten;
    private long bytes;
    private boolean isClosed;
    private boolean isBroken;
    private long progress;

    StdinWriter(SpawnedProcess process, int limit) {
        this.process = process;
        this.limit = limit;
    }

    /// Queues a frame and its line end; false if the queue is full, or the child no longer reads.
    boolean send(byte[] frame) {
        synchronized (this) {
            boolean fits = bytes + frame.length + 1 <= limit;
            if (isClosed || !fits) {
                return false;
            }
            boolean mustWait = !waiting.isEmpty();
            add(frame);
            if (mustWait || (write() && !isBroken)) {
                return true;
            }
        }
        process.wake();
        return !isBroken();
    }

    private void add(byte[] frame) {
        if (frame.length < COPIED_BYTES) {
            byte[] line = Arrays.copyOf(frame, frame.length + 1);
            line[frame.length] = '\n';
            waiting.add(line);
        } else {
            waiting.add(frame);
            waiting.add(LINE_END);
        }
        bytes += frame.length + 1;
    }

    /// Continues after the pipe was full. For the writing thread.
    synchronized void continueWriting() {
        write();
    }

    /// True if nothing is left to write.
    private boolean write() {
        for (byte[] first = waiting.peekFirst(); first != null; first = waiting.peekFirst()) {
            int count = process.tryWrite(first, firstWritten, first.length);
            if (count < 0) {
                isBroken = true;
                close();
                return true;
            }
            if (count > 0) {
                progress++;
            }
            bytes -= count;
            firstWritten += count;
            if (firstWritten < first.length) {
                return false;
            }
            waiting.removeFirst();
            firstWritten = 0;
        }
        return true;
    }

    /// The child has closed its stdin, which it also does by exiting.
    synchronized boolean isBroken() {
        return isBroken;
    }

    synchronized boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /// Grows whenever the pipe has taken something.
    synchronized long progress() {
        return progress;
    }

    synchronized void close() {
        isClosed = true;
        waiting.clear();
        firstWritten = 0;
        bytes = 0;
    }

    @Override
    public synchronized String toString() {
        return "StdinWriter[" + bytes + " bytes waiting]";
    }
}
