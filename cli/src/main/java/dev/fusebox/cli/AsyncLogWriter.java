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

/// Writes the log on a thread of its own. Whoever started us may read standard error slowly, or not at all: then
/// its pipe is full some day, and whoever writes into it waits for ever. Thread-safe; nothing blocks but [#close],
/// for a second at most. What there is no room for is left out and counted.
final class AsyncLogWriter implements AutoCloseable {
    private static final int MOST_WAITING = 1_000;

    /// What is still waiting at the end has so long.
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    /// Wakes the thread that writes, as it shall end.
    private static final String END = "";

    private final Platform platform;
    private final OutputStream out;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Promise<Boolean> ended = new Promise<>();
    private final Thread writer;
    private volatile boolean isEnding;

    private AsyncLogWriter(Platform platform, OutputStream out) {
        this.platform = platform;
        this.out = out;
        this.writer = Thread.ofPlatform().daemon().name("fusebox-log").unstarted(this::run);
    }

    /// Begins to write.
    ///
    /// @param out may block for as long as it likes; is not closed
    static AsyncLogWriter to(Platform platform, OutputStream out) {
        AsyncLogWriter asyncLogWriter = new AsyncLogWriter(platform, out);
        asyncLogWriter.writer.start();
        return asyncLogWriter;
    }

    /// @param text whole lines; not empty
    void write(Supplier<String> text) {
        try {
            if (!waiting.offer(text.get())) {
                lost.incrementAndGet();
            }
        } catch (RuntimeException | Error unspeakable) {
            // Whoever says something must not be hurt by saying it.
            lost.incrementAndGet();
        }
    }

    private void run() {
        try {
            for (String text = next(); text != null; text = next()) {
                write(text);
            }
            if (lost.get() > 0) {
                write("");
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            ended.bring(true);
        }
    }

    /// Null when nothing is left and nothing more will come.
    private @Nullable String next() throws InterruptedException {
        String text = isEnding ? waiting.poll() : waiting.take();
        return END.equals(text) ? waiting.poll() : text;
    }

    /// In one piece, so that nobody else's words come in between. A disk may have room again, a pipe that is
    /// closed stays so: there is nobody left to tell.
    private void write(String text) {
        long missing = lost.getAndSet(0);
        try {
            String all = missing == 0 ? text : "(" + missing + " records were left out)\n" + text;
            out.write(all.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException | RuntimeException | Error unwritable) {
            lost.addAndGet(missing + (text.isEmpty() ? 0 : 1));
        }
    }

    /// What waits is still written, unless nobody reads it.
    @Override
    public void close() {
        isEnding = true;
        // Wakes a writer that has nothing to do; one that is at work sees it by itself.
        waiting.offer(END);
        try {
            ended.await(platform, FAREWELL);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
