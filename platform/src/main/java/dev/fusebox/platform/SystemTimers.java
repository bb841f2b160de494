package dev.fusebox.platform;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Timers of the real machine. Thread-safe; [#park] blocks.
///
/// A scheduled action is a virtual thread that parks until its time. So an action that hangs or throws affects
/// only its own thread, and there is no timer thread to start, to watch or to close.
final class SystemTimers implements Timers {
    private final Ticker ticker;

    SystemTimers(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    @Override
    public ParkedTimer schedule(Duration delay, Runnable action) {
        var timer = new ParkedTimer(Durations.nanos(delay), action);
        timer.thread.start();
        return timer;
    }

    private enum State {
        WAITING,
        STARTED,
        CANCELLED
    }

    /// A virtual thread that waits for the time of an action.
    ///
    /// ```
    /// WAITING -- time is up --> STARTED
    ///    `----- cancel() -----> CANCELLED
    /// ```
    final class ParkedTimer implements Timer {
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private final long start = ticker.nanos();
        private final long delay;
        private final Runnable action;
        final Thread thread;

        ParkedTimer(long delay, Runnable action) {
            this.delay = delay;
            this.action = action;
            this.thread = Thread.ofVirtual().name("fusebox-timer").unstarted(this::waitAndRun);
        }

        private void waitAndRun() {
            long left = delay;
            while (left > 0 && state.get() == State.WAITING) {
                park(left);
                // No code interrupts a timer on purpose; keeping the flag would turn this wait into a busy
                // wait.
                Thread.interrupted();
                left = delay - (ticker.nanos() - start);
            }
            if (state.compareAndSet(State.WAITING, State.STARTED)) {
                action.run();
            }
        }

        @Override
        public boolean cancel() {
            boolean first = state.compareAndSet(State.WAITING, State.CANCELLED);
            if (first) {
                LockSupport.unpark(thread);
            }
            return first;
        }
    }
}
