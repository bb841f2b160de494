package dev.fusebox.client.process;

import dev.fusebox.platform.SpawnedProcess;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// What waits to be read by a child. Thread-safe; never blocks.
///
/// What the pipe takes at once is written by the caller itself: that spares the hand-over to the writing thread.
/// The monitor keeps frames whole and in order; inside it are only writes that do not wait.
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

    /// Takes a frame and adds the line end; false if too much is waiting, or nobody will read it.
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

    /// Writes on after the pipe had no room. For the writing thread.
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

    /// The child has closed its input, as it also does by ending.
    synchronized boolean isBroken() {
        return isBroken;
    }

    synchronized boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /// Grows whenever the child's pipe has taken something.
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
