package dev.fusebox.gateway.front;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.TryWritable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A writer of frames to a stream that may block, one line each. Thread-safe; [#send] never blocks.
///
/// The sending thread itself writes what a [TryWritable] takes at once, which saves a wake-up. The rest, and
/// everything for other streams, is written by a platform thread: a write to a full pipe would pin a carrier of
/// virtual threads. The monitor keeps frames whole and in order; under it are only non-blocking writes.
///
/// A client that does not read is disconnected when too many bytes are queued or no progress was made for too
/// long; then everything queued is dropped.
final class FrameWriter {
    private static final System.Logger LOG = LazyLoggers.of(FrameWriter.class);
    private static final long MAX_BYTES = 64L << 20;

    /// Two slices fit into the buffer of a pipe.
    private static final int SLICE = 32 << 10;

    private static final int BUFFER = 64 << 10;

    private final Platform platform;
    private final OutputStream out;
    private final TryWritable direct;
    private final Duration stuck;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Promise<Boolean> written = new Promise<>();
    private volatile Runnable onGone = () -> {};
    private long waitingBytes;
    private long lastProgress;
    private boolean writing;

    /// The timer of the next check for progress; null while there is none.
    private @Nullable Timer check;

    private boolean ended;
    private boolean gone;

    /// @param stuck the longest time without progress while something is queued
    FrameWriter(Platform platform, OutputStream out, Duration stuck) {
        this.platform = platform;
        this.out = new BufferedOutputStream(out, BUFFER);
        this.direct = out instanceof TryWritable writable ? writable : (bytes, from, to) -> 0;
        this.stuck = stuck;
    }

    /// @param whenGone is called once, on any thread, when the client no longer reads
    void start(Runnable whenGone) {
        onGone = whenGone;
        Thread.ofPlatform().daemon().name("fusebox-client-writer").start(this::writeAll);
    }

    /// Queues a frame; false if the client is gone.
    boolean send(byte[] frame) {
        boolean isAccepted;
        synchronized (this) {
            if (gone || ended) {
                return false;
            }
            isAccepted = writing ? waitingBytes + frame.length <= MAX_BYTES && queue(frame) : writeOrQueue(frame);
        }
        if (!isAccepted) {
            giveUp();
        }
        return isAccepted;
    }

    /// Nothing is queued, so the frame is next. False if the client no longer reads.
    private boolean writeOrQueue(byte[] frame) {
        lastProgress = platform.ticker().nanos();
        if (frame.length >= SLICE) {
            return queue(frame);
        }
        byte[] line = Arrays.copyOf(frame, frame.length + 1);
        line[frame.length] = '\n';
        int count = direct.tryWrite(line, 0, line.length);
        if (count == 0) {
            return queue(frame);
        }
        // The thread adds the line end.
        return count == line.length || (count > 0 && queue(Arrays.copyOfRange(frame, count, frame.length)));
    }

    private boolean queue(byte[] frame) {
        writing = true;
        waiting.add(frame);
        waitingBytes += frame.length;
        notifyAll();
        watch(stuck);
        return true;
    }

    /// One timer at a time, regardless of the number of queued frames.
    private void watch(Duration delay) {
        if (check == null) {
            check = platform.timers().schedule(delay, this::checkProgress);
        }
    }

    private void checkProgress() {
        boolean isStuck;
        synchronized (this) {
            check = null;
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

    /// Writes what is queued and ends; waits for that at most for the limit.
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
            LOG.log(Level.ERROR, "failed to write to a client (internal error); disconnecting it", ours);
            giveUp();
        } finally {
            cancelCheck();
            written.complete(true);
        }
    }

    private synchronized void cancelCheck() {
        if (check != null) {
            check.cancel();
        }
    }

    /// In slices, so that slow reading of a long frame counts as progress.
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
