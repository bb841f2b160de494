package dev.fusebox.gateway.mcp;

import dev.fusebox.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Writes frames to a stream that may block, one line each, on a platform thread of its own: a write to a pipe that is
/// full
/// would hold a carrier of virtual threads. Thread-safe; [#send] never blocks.
///
/// A client that does not read is given up when too much waits or nothing has moved for too long; then everything that
/// waits
/// is dropped.
final class FrameWriter {
    private static final long MOST_BYTES = 64L << 20;

    private final World world;
    private final OutputStream out;
    private final long stuckNanos;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Thread thread;
    private long waitingBytes;
    private long lastProgress;
    private boolean ended;
    private boolean gone;

    FrameWriter(World world, OutputStream out, Duration stuck) {
        this.world = world;
        this.out = out;
        this.stuckNanos = stuck.toNanos();
        this.lastProgress = world.ticker().nanos();
        this.thread = Thread.ofPlatform().daemon().name("fusebox-client-writer").unstarted(this::writeAll);
    }

    void start() {
        thread.start();
    }

    /// Queues a frame; false if the client is gone.
    synchronized boolean send(byte[] frame) {
        long now = world.ticker().nanos();
        if (waiting.isEmpty()) {
            lastProgress = now;
        } else if (now - lastProgress > stuckNanos || waitingBytes + frame.length > MOST_BYTES) {
            giveUp();
        }
        if (gone || ended) {
            return false;
        }
        waiting.add(frame);
        waitingBytes += frame.length;
        notifyAll();
        return true;
    }

    private void giveUp() {
        gone = true;
        waiting.clear();
        waitingBytes = 0;
        notifyAll();
    }

    synchronized boolean isGone() {
        return gone;
    }

    /// Writes what waits and ends; waits for that for at most so long.
    void end(Duration limit) throws InterruptedException {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        Waiting.until(world, limit, () -> !thread.isAlive());
    }

    private void writeAll() {
        try {
            for (byte[] frame = next(); frame != null; frame = next()) {
                out.write(frame);
                out.write('\n');
                if (isDrained()) {
                    out.flush();
                }
            }
        } catch (IOException closed) {
            synchronized (this) {
                giveUp();
            }
        }
    }

    private synchronized boolean isDrained() {
        lastProgress = world.ticker().nanos();
        return waiting.isEmpty();
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
}
