package dev.fusebox.client.stream;

import dev.fusebox.client.http.DuplexStream;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Queue of framed messages, and the virtual thread that writes them. Thread-safe; only the thread blocks.
///
/// A caller does not write itself: a write to a server that does not read blocks, whatever the deadline of the call.
///
/// ```
/// open -- finish(last bytes) --> finishing -- written, or after a second --> closed
///   '----- close(), or a write fails ------------------------------------------^
/// ```
final class StreamWriter {
    /// After so many bytes the server is known to read. As much as a TLS record has at most.
    private static final int CHUNK_BYTES = 16 << 10;

    /// How long the last bytes may take to be written.
    private static final Duration LAST_WRITE = Duration.ofSeconds(1);

    private final Platform platform;
    private final DuplexStream stream;
    private final StreamLimits limits;
    private final Events events;
    private final Thread thread =
            Thread.ofVirtual().name("fusebox-stream-write").unstarted(this::run);
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private long queuedBytes;
    private byte @Nullable [] reply;
    private byte @Nullable [] lastBytes;
    private State state = State.OPEN;
    private boolean isWriting;
    private boolean isWatched;
    private long progressAt;

    private enum State {
        OPEN,
        FINISHING,
        CLOSED
    }

    /// Receiver of the failures of a writer. Nothing may block.
    interface Events {
        /// The server has read nothing of what is queued for as long as the limit.
        void stuck();

        /// A write has failed.
        void broken();
    }

    StreamWriter(Platform platform, DuplexStream stream, StreamLimits limits, Events events) {
        this.platform = platform;
        this.stream = stream;
        this.limits = limits;
        this.events = events;
    }

    void start() {
        thread.start();
    }

    /// Queues bytes; false if the queue is full, or nothing is sent any more.
    boolean send(byte[] bytes) {
        synchronized (this) {
            if (isEnding() || queuedBytes + bytes.length > limits.queueBytes()) {
                return false;
            }
            noteBegin();
            queue.add(bytes);
            queuedBytes += bytes.length;
        }
        wake();
        return true;
    }

    /// Sends bytes ahead of the queue, in place of an earlier reply that was not sent yet.
    void reply(byte[] bytes) {
        synchronized (this) {
            if (isEnding()) {
                return;
            }
            noteBegin();
            reply = bytes;
        }
        wake();
    }

    /// Drops the queue, sends these last bytes, and closes the stream.
    void finish(byte[] bytes) {
        if (bytes.length == 0) {
            close();
            return;
        }
        synchronized (this) {
            if (isEnding()) {
                return;
            }
            clear();
            state = State.FINISHING;
            lastBytes = bytes;
        }
        platform.timers().schedule(LAST_WRITE, this::close);
        LockSupport.unpark(thread);
    }

    /// Closes the stream now. Idempotent.
    void close() {
        synchronized (this) {
            state = State.CLOSED;
            clear();
        }
        stream.close();
        LockSupport.unpark(thread);
    }

    private boolean isEnding() {
        return state != State.OPEN;
    }

    private void clear() {
        queue.clear();
        queuedBytes = 0;
        reply = null;
    }

    private void noteBegin() {
        if (isIdle()) {
            progressAt = platform.ticker().nanos();
        }
    }

    private boolean isIdle() {
        return !isWriting && reply == null && queue.isEmpty();
    }

    private void wake() {
        LockSupport.unpark(thread);
        boolean isFirst;
        synchronized (this) {
            isFirst = !isWatched && state != State.CLOSED;
            isWatched = true;
        }
        if (isFirst) {
            platform.timers().schedule(limits.stuckWrite(), this::watch);
        }
    }

    /// Checks whether the server reads, as long as something is queued.
    private void watch() {
        long left;
        synchronized (this) {
            isWatched = state != State.CLOSED && !isIdle();
            if (!isWatched) {
                return;
            }
            left = progressAt
                    + limits.stuckWrite().toNanos()
                    - platform.ticker().nanos();
        }
        if (left > 0) {
            platform.timers().schedule(Duration.ofNanos(left), this::watch);
        } else {
            events.stuck();
        }
    }

    // ---- The thread

    private void run() {
        try {
            for (byte[] next = next(); next != null; next = next()) {
                write(next);
            }
        } catch (IOException _) {
            synchronized (this) {
                state = State.CLOSED;
                clear();
            }
            events.broken();
            return;
        }
        close();
    }

    /// Waits for the next bytes to write; null at the end.
    private byte @Nullable [] next() {
        while (true) {
            synchronized (this) {
                byte[] next = takeNext();
                isWriting = next != null;
                if (isWriting || isEnding()) {
                    return next;
                }
            }
            LockSupport.park(this);
        }
    }

    private byte @Nullable [] takeNext() {
        byte[] ahead = state == State.FINISHING ? lastBytes : reply;
        lastBytes = null;
        reply = null;
        if (ahead != null) {
            return ahead;
        }
        byte[] message = queue.poll();
        queuedBytes -= message == null ? 0 : message.length;
        return message;
    }

    private void write(byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
            stream.write(bytes, at, Math.min(CHUNK_BYTES, bytes.length - at));
            synchronized (this) {
                progressAt = platform.ticker().nanos();
            }
        }
    }
}
