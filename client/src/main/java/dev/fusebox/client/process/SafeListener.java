package dev.fusebox.client.process;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/// A listener that harms nobody: what it throws is logged, and after the end it hears nothing. Thread-safe.
final class SafeListener implements LineSplitter.Sink, StderrReader.Sink {
    private static final Logger LOG = LazyLoggers.of(SafeListener.class);

    private final ChildListener listener;
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean isOver;
    private volatile Runnable whenSpoken = () -> {};
    private boolean hasSpoken;

    SafeListener(ChildListener listener) {
        this.listener = listener;
    }

    /// Has this done at the first line that begins as messages do. To be called before anything is read.
    void whenSpoken(Runnable action) {
        whenSpoken = action;
    }

    @Override
    public void line(byte[] buffer, int from, int to) {
        if (!hasSpoken && from < to && buffer[from] == '{') {
            hasSpoken = true;
            whenSpoken.run();
        }
        tell(() -> listener.frame(buffer, from, to));
    }

    @Override
    public void tooLong(OversizedLine line) {
        tell(() -> listener.tooLong(line));
    }

    @Override
    public void log(String line, long dropped) {
        tell(() -> listener.log(line, dropped));
    }

    /// Called once, by whoever ends the child.
    void exited(ChildExit exit) {
        isOver = true;
        guarded(() -> listener.exited(exit));
    }

    private void tell(Runnable message) {
        if (!isOver) {
            guarded(message);
        }
    }

    /// The first failures are logged, then each power of two: a listener that always fails must not flood the log.
    private void guarded(Runnable message) {
        try {
            message.run();
        } catch (Throwable e) {
            long count = failures.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                LOG.log(Level.ERROR, "child process listener failed; failures of this listener: " + count, e);
            }
        }
    }
}
