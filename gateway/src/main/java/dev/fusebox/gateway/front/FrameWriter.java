package dev.fusebox.gateway.front;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Writes frames to a stream that may block, one line each, on a platform thread of its own: a write to a pipe
/// that is full would hold a carrier of virtual threads. Thread-safe; [#send] never blocks.
///
/// A client that does not read is given up when too much waits or nothing has moved for too long; then everything
/// that waits is dropped.
final class FrameWriter {
    private static final System.Logger LOG = LazyLoggers.of(FrameWriter.class);
    private static final long MOST_BYTES = 64L << 20;

    /// Two of them fit into the buffer of a pipe.
    private static final int SLICE = 32 << 10;

    private final Platform platform;
    private final OutputStream out;
    private final Duration stuck;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Promise<Boolean> written = new Promise<>();
    private volatile Runnable onGone = () -> {};
    private long waitingBytes;
    private long lastProgress;
    private boolean writing;
    private boolean watched;
    private boolean ended;
    private boolean gone;

    /// @param stuck how long nothing may move while something waits
    FrameWriter(Platform platform, OutputStream out, Duration stuck) {
        this.platform = platform;
        this.out = out;
        this.stuck = stuck;
    }

    /// @param told is told once, on any thread, that the client does not read any more
    void start(Runnable told) {
        onGone = told;
        Thread.ofPlatform().daemon().name("fusebox-client-writer").start(this::writeAll);
    }

    /// Queues a frame; false if the client is gone.
    boolean send(byte[] frame) {
        boolean tooMuch;
        synchronized (this) {
            if (gone || ended) {
                return false;
            }
            if (!writing) {
                lastProgress = platform.ticker().nanos();
            }
            tooMuch = writing && waitingBytes + frame.length > MOST_BYTES;
            if (!tooMuch) {
                writing = true;
                waiting.add(frame);
                waitingBytes += frame.length;
                notifyAll();
                watch(stuck);
            }
        }
        if (tooMuch) {
            giveUp();
        }
        return !tooMuch;
    }

    /// One alarm at a time, however many frames there are.
    private void watch(Duration delay) {
        if (!watched) {
            watched = true;
            platform.timers().schedule(delay, this::look);
        }
    }

    private void look() {
        boolean isStuck;
        synchronized (this) {
            watched = false;
            long still = platform.ticker().nanos() - lastProgress;
            isStuck = writing && still >= stuck.toNanos();
            if (writing && !isStuck) {
                watch(stuck.minusNanos(still));
            }
        }
        if (isStuck) {
            giveUp();
        }
    }

    private void giveUp() {
        synchronized (this) {
            if (gone) {
                return;
            }
            gone = true;
            waiting.clear();
            waitingBytes = 0;
            notifyAll();
        }
        onGone.run();
    }

    /// Writes what waits and ends; waits for that for at most so long.
    void end(Duration limit) throws InterruptedException {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        written.await(platform, limit);
    }

    private void writeAll() {
        try {
            for (byte[] frame = next(); frame != null; frame = next()) {
                write(frame);
                if (isLast()) {
                    out.flush();
                    flushed();
                }
            }
        } catch (IOException closed) {
            giveUp();
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, "writing to a client failed inside of the gateway, which gives it up", ours);
            giveUp();
        } finally {
            written.bring(true);
        }
    }

    /// In slices: whoever takes a long frame slowly does take it.
    private void write(byte[] frame) throws IOException {
        for (int at = 0; at < frame.length; at += SLICE) {
            out.write(frame, at, Math.min(SLICE, frame.length - at));
            moved();
        }
        out.write('\n');
    }

    private synchronized void moved() {
        lastProgress = platform.ticker().nanos();
    }

    private synchronized byte @Nullable [] next() {
        while (waiting.isEmpty() && !ended && !gone) {
            try {
                wait();
            } catch (InterruptedException stopped) {
                return null;
            }
        }
        byte[] frame = waiting.poll();
        waitingBytes -= frame == null ? 0 : frame.length;
        return frame;
    }

    private synchronized boolean isLast() {
        lastProgress = platform.ticker().nanos();
        return waiting.isEmpty();
    }

    private synchronized void flushed() {
        lastProgress = platform.ticker().nanos();
        writing = !waiting.isEmpty();
    }
}
