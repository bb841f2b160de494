package dev.fusebox.client.process;

import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/// Wrapper of a [ChildListener] that logs its exceptions, and calls nothing after [#exited]. Thread-safe; blocks
/// as the listener does.
final class SafeListener implements LineSplitter.Sink, StderrReader.Sink {
    private static final Logger LOG = LazyLoggers.of(SafeListener.class);

    private final ChildListener listener;
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean isExited;
    private volatile Runnable onFirstMessage = () -> {};
    private boolean hasMessage;

    SafeListener(ChildListener listener) {
        this.listener = listener;
    }

    /// Sets an action for the first line that begins like a message. Must be called before anything is read.
    void onFirstMessage(Runnable action) {
        onFirstMessage = action;
    }

    @Override
    public void line(byte[] buffer, int from, int to) {
        if (!hasMessage && from < to && buffer[from] == '{') {
            hasMessage = true;
            onFirstMessage.run();
        }
        notify(() -> listener.frame(buffer, from, to));
    }

    @Override
    public void tooLong(OversizedMessage line) {
        notify(() -> listener.tooLong(line));
    }

    @Override
    public void log(String line, long dropped) {
        notify(() -> listener.log(line, dropped));
    }

    /// Called once, when the child has ended.
    void exited(ChildExit exit) {
        isExited = true;
        runSafely(() -> listener.exited(exit));
    }

    private void notify(Runnable message) {
        if (!isExited) {
            runSafely(message);
        }
    }

    /// Logs the first failure and then each power of two, so that a listener that always fails does not flood the
    /// log.
    private void runSafely(Runnable message) {
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
