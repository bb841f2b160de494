package dev.fusebox.gateway.session;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// How much may be worked on at once, in calls and in bytes. Thread-safe; nothing blocks.
public final class FrontLimits {
    private static final CallFailure FULL = CallFailure.overloaded(
            "too much is being worked on; wait for some answers, then try again", Duration.ofSeconds(1));

    private static final CallFailure ENDING = CallFailure.overloaded(
            "the gateway is about to end and takes no more calls; nothing was sent, try again when it is back",
            Duration.ofSeconds(1));

    private final int most;
    private final long mostBytes;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean closed;

    public FrontLimits(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /// Takes a call of so many bytes in, if there is room. Whoever gets true calls [#leave] once. A call that is
    /// too large by itself is let in alone.
    public boolean tryEnter(int length) {
        boolean fits = calls.incrementAndGet() <= most && !closed;
        boolean isLight = bytes.addAndGet(length) <= Math.max(mostBytes, length);
        if (fits && isLight) {
            return true;
        }
        leave(length);
        return false;
    }

    /// Nobody is let in any more; who is in stays.
    public void close() {
        closed = true;
    }

    /// Why a call was not let in.
    public CallFailure refusal() {
        return closed ? ENDING : FULL;
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
