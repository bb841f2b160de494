package dev.fusebox.gateway.events;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Runs what listeners do, one after the other in the order in which it came, on a thread of its own while there is
/// anything. When listeners are too slow, what is new is dropped and counted. Thread-safe; nothing blocks.
public final class EventRing implements Executor {
    /// More than a second's worth of state changes of a thousand servers.
    private static final int MOST = 8_192;

    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final AtomicLong dropped = new AtomicLong();
    private boolean running;

    /// Needs no closing: it has a thread only while there is something to do.
    public EventRing() {}

    @Override
    public void execute(Runnable task) {
        synchronized (waiting) {
            if (waiting.size() >= MOST) {
                dropped.incrementAndGet();
                throw new RejectedExecutionException("listeners are behind; " + MOST + " events wait");
            }
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        Thread.ofVirtual().name("fusebox-events").start(this::runAll);
    }

    private void runAll() {
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (RuntimeException faulty) {
                // Of a listener: the library counts those that it calls, and the next event is not to blame.
                dropped.incrementAndGet();
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            Runnable next = waiting.poll();
            running = next != null;
            return next;
        }
    }

    /// Events that nobody heard of.
    public long dropped() {
        return dropped.get();
    }
}
