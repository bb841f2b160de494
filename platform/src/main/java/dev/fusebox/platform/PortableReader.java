package dev.fusebox.platform;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/// A handover of bytes from the thread that blocks in a stream to the thread that reads them. Thread-safe; [#read]
/// and [#pump] block.
final class PortableReader {
    private static final int PIECE_BYTES = 64 << 10;

    /// How long a pipe may be silent after the process has ended before it counts as finished.
    private static final long SILENCE_MILLIS = 50;

    private final InputStream stream;
    private final byte[] piece = new byte[PIECE_BYTES];
    private int from;
    private int to;
    private boolean isOver;
    private boolean isEnded;

    PortableReader(InputStream stream) {
        this.stream = stream;
    }

    void pump() {
        byte[] bytes = new byte[PIECE_BYTES];
        try (stream) {
            for (int length = stream.read(bytes); length >= 0 && offer(bytes, length); length = stream.read(bytes)) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // A broken pipe is treated as the end of the stream.
        } finally {
            close();
        }
    }

    private synchronized boolean offer(byte[] bytes, int length) {
        while (from < to && !isOver) {
            pause(0);
        }
        System.arraycopy(bytes, 0, piece, 0, length);
        from = 0;
        to = length;
        notifyAll();
        return !isOver;
    }

    synchronized int read(byte[] into) {
        long end = 0;
        while (from == to && !isOver) {
            if (isEnded && end == 0) {
                end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS);
            }
            if (isEnded && end - System.nanoTime() <= 0) {
                return -1;
            }
            pause(isEnded ? SILENCE_MILLIS : 0);
        }
        if (from == to) {
            return -1;
        }
        int length = Math.min(into.length, to - from);
        System.arraycopy(piece, from, into, 0, length);
        from += length;
        notifyAll();
        return length;
    }

    /// Callers check their condition again.
    @SuppressWarnings("WaitNotInLoop")
    private void pause(long millis) {
        try {
            wait(millis);
        } catch (InterruptedException e) {
            // No code interrupts these threads on purpose; keeping the flag would turn the wait into a busy
            // wait.
        }
    }

    synchronized void processEnded() {
        isEnded = true;
        notifyAll();
    }

    synchronized void close() {
        isOver = true;
        notifyAll();
    }
}
