package dev.fusebox.gateway.session;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The bound on concurrent calls and their bytes. Thread-safe; nothing blocks.
public final class FrontLimits {
    private static final CallFailure FULL = CallFailure.overloaded(
            "too many calls in flight; wait for some responses, then try again", Duration.ofSeconds(1));

    private static final CallFailure ENDING = CallFailure.overloaded(
            "the gateway is shutting down; the call was not sent, try again when it is back", Duration.ofSeconds(1));

    private final int most;
    private final long maxBytes;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean closed;

    public FrontLimits(int most, long maxBytes) {
        this.most = most;
        this.maxBytes = maxBytes;
    }

    /// Admits a call of so many bytes if there is room. Each admitted call must [#leave] once. A call that exceeds
    /// the byte limit by itself is admitted if it is the only one.
    public boolean tryEnter(int length) {
        boolean fits = calls.incrementAndGet() <= most && !closed;
        boolean isLight = bytes.addAndGet(length) <= Math.max(maxBytes, length);
        if (fits && isLight) {
            return true;
        }
        leave(length);
        return false;
    }

    /// Admits no more calls; those in flight continue.
    public void close() {
        closed = true;
    }

    /// The failure for a call that was not admitted.
    public CallFailure refusal() {
        return closed ? ENDING : FULL;
    }

    public void leave(int length) {
        bytes.addAndGet(-length);
        calls.decrementAndGet();
    }

    /// The number of calls in flight.
    public int calls() {
        return calls.get();
    }
}
