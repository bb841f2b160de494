package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An asynchronous log writer with a bounded queue and a thread of its own. The program that started the gateway
/// may read standard error slowly or not at all; once the pipe is full, a synchronous write would block forever.
/// Thread-safe; only [#close] blocks, for one second at most. Records that exceed the queue are dropped and
/// counted.
final class AsyncLogWriter implements AutoCloseable {
    private static final int QUEUE_LENGTH = 1_000;

    /// The time to write the queued records on close.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    /// Wakes the writer thread so that it can end.
    private static final String END = "";

    private final Platform platform;
    private final OutputStream out;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);
    private final AtomicLong dropped = new AtomicLong();
    private final Promise<Boolean> ended = new Promise<>();
    private final Thread writer;
    private volatile boolean isEnding;

    private AsyncLogWriter(Platform platform, OutputStream out) {
        this.platform = platform;
        this.out = out;
        this.writer = Thread.ofPlatform().daemon().name("fusebox-log").unstarted(this::run);
    }

    /// Starts a writer.
    ///
    /// @param out may block; is not closed
    static AsyncLogWriter to(Platform platform, OutputStream out) {
        AsyncLogWriter asyncLogWriter = new AsyncLogWriter(platform, out);
        asyncLogWriter.writer.start();
        return asyncLogWriter;
    }

    /// @param text whole lines; not empty
    void write(Supplier<String> text) {
        try {
            if (!queue.offer(text.get())) {
                dropped.incrementAndGet();
            }
        } catch (RuntimeException | Error unspeakable) {
            // Logging must not fail its caller.
            dropped.incrementAndGet();
        }
    }

    private void run() {
        try {
            for (String text = next(); text != null; text = next()) {
                write(text);
            }
            if (dropped.get() > 0) {
                write("");
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            ended.complete(true);
        }
    }

    /// The next record; null once the queue is empty and the writer is closed.
    private @Nullable String next() throws InterruptedException {
        String text = isEnding ? queue.poll() : queue.take();
        return END.equals(text) ? queue.poll() : text;
    }

    /// Writes a record with a single call, so that output of other threads does not interleave. A failed write is
    /// counted and retried with the next record: a full disk may have room again.
    private void write(String text) {
        long missing = dropped.getAndSet(0);
        try {
            String all = missing == 0 ? text : "(" + missing + " log records were dropped)\n" + text;
            out.write(all.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException | RuntimeException | Error unwritable) {
            dropped.addAndGet(missing + (text.isEmpty() ? 0 : 1));
        }
    }

    /// Writes the queued records, unless the reader has stopped reading.
    @Override
    public void close() {
        isEnding = true;
        // Wakes an idle writer; a busy one checks the flag itself.
        queue.offer(END);
        try {
            ended.await(platform, CLOSE_TIMEOUT);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
