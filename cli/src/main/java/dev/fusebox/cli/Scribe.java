package dev.fusebox.cli;

import dev.fusebox.client.Arrival;
import dev.fusebox.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/// Writes the log on a thread of its own. Whoever started us may read standard error slowly, or not at all: then its
/// pipe is full some day, and whoever writes into it waits for ever. Thread-safe; nothing blocks but [#close], for a
/// second at most. What there is no room for is left out and counted.
final class Scribe extends Handler implements AutoCloseable {
    private static final int MOST_WAITING = 1_000;

    /// What is still waiting at the end has so long.
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    /// Ends the thread that writes.
    private static final String END = "";

    private final World world;
    private final OutputStream out;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Arrival<Boolean> ended = new Arrival<>();
    private final Thread writer;

    private Scribe(World world, OutputStream out) {
        this.world = world;
        this.out = out;
        this.writer = Thread.ofPlatform().daemon().name("fusebox-log").unstarted(this::run);
        setFormatter(new SimpleFormatter());
    }

    /// Begins to write.
    ///
    /// @param out may block for as long as it likes; is not closed
    static Scribe to(World world, OutputStream out) {
        Scribe scribe = new Scribe(world, out);
        scribe.writer.start();
        return scribe;
    }

    @Override
    public void publish(LogRecord record) {
        try {
            if (isLoggable(record) && !waiting.offer(getFormatter().format(record))) {
                lost.incrementAndGet();
            }
        } catch (RuntimeException | Error unspeakable) {
            // Whoever says something must not be hurt by saying it.
            lost.incrementAndGet();
        }
    }

    private void run() {
        try {
            for (String text = waiting.take(); !text.equals(END); text = waiting.take()) {
                long missing = lost.getAndSet(0);
                write((missing == 0 ? "" : "(" + missing + " records were left out)\n") + text);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            ended.bring(true);
        }
    }

    /// In one piece, so that nobody else's words come in between. A disk may have room again, a pipe that is closed
    /// stays so: there is nobody left to tell.
    private void write(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException | RuntimeException | Error unwritable) {
            lost.incrementAndGet();
        }
    }

    @Override
    public void flush() {
        // That happens by itself.
    }

    /// What waits is still written, unless nobody reads it.
    @Override
    public void close() {
        if (!waiting.offer(END)) {
            writer.interrupt();
        }
        try {
            ended.await(world, FAREWELL);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
