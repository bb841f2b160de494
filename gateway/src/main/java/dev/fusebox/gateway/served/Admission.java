package dev.fusebox.gateway.served;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// How much may be worked on at once, in calls and in bytes. Thread-safe; nothing blocks.
public final class Admission {
    private final int most;
    private final long mostBytes;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    public Admission(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /// Takes a call of so many bytes in, if there is room. Whoever gets true calls [#leave] once. A call that is too
    /// large by itself is let in alone.
    public boolean tryEnter(int length) {
        boolean fits = calls.incrementAndGet() <= most;
        boolean isLight = bytes.addAndGet(length) <= Math.max(mostBytes, length);
        if (fits && isLight) {
            return true;
        }
        leave(length);
        return false;
    }

    public void leave(int length) {
        bytes.addAndGet(-length);
        calls.decrementAndGet();
    }

    /// Calls that are in.
    public int calls() {
        return calls.get();
    }
}
