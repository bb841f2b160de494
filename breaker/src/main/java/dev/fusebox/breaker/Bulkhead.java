package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bound on concurrent and on waiting callers, in the order of their arrival. Thread-safe; only {@link #enter} blocks,
 * at most for the given time.
 *
 * <p>A slot that becomes free is handed to the caller that has waited longest, so no caller can overtake another. The
 * monitor of this object guards everything; under it nothing blocks.
 */
public final class Bulkhead {
    private final int atOnce;
    private final int mayWait;
    private final Surroundings surroundings;
    private final Set<Waiter> queue = new LinkedHashSet<>();
    private int inside;

    /** A bulkhead that measures waiting by this machine's clock. */
    public Bulkhead(int atOnce, int mayWait) {
        this(atOnce, mayWait, Surroundings.system());
    }

    /**
     * @param atOnce the maximum number of callers inside
     * @param mayWait the maximum number of waiting callers; 0 for none
     */
    public Bulkhead(int atOnce, int mayWait, Surroundings surroundings) {
        Rule.count("atOnce", atOnce);
        Rule.countOrNone("mayWait", mayWait, Rule.LARGEST);
        this.atOnce = atOnce;
        this.mayWait = mayWait;
        this.surroundings = surroundings;
    }

    /** The result of an attempt to enter: a {@link Slot}, or {@link Full}. */
    public sealed interface Entry permits Slot, Full {}

    /**
     * No slot was available.
     *
     * @param why whether the caller did not wait, the queue was full, or the caller timed out
     * @param inside callers inside at that moment
     * @param waiting callers waiting at that moment
     */
    public record Full(Why why, int inside, int waiting) implements Entry {
        /** The cause. */
        public enum Why {
            DID_NOT_WAIT,
            QUEUE_FULL,
            TIME_OVER
        }
    }

    /** The right to be inside until it is closed. Closing is idempotent. Thread-safe. */
    public static final class Slot implements Entry, AutoCloseable {
        private final Bulkhead bulkhead;
        private boolean left;

        private Slot(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
        }

        @Override
        public void close() {
            bulkhead.leave(this);
        }
    }

    /** A caller in the queue. */
    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        /** Created before it is granted: if memory or stack is exhausted, no slot may be lost. */
        private final Slot slot;

        private volatile boolean granted;

        Waiter(Slot slot) {
            this.slot = slot;
        }
    }

    /** A slot if one is free and no caller waits for it; never waits. */
    public synchronized Entry tryEnter() {
        return isFree() ? takeSlot() : new Full(Full.Why.DID_NOT_WAIT, inside, queue.size());
    }

    /** A slot, after waiting for at most the given time. */
    public Entry enter(Duration atMost) throws InterruptedException {
        Rule.time("atMost", atMost);
        Waiter waiter;
        synchronized (this) {
            if (isFree()) {
                return takeSlot();
            }
            if (queue.size() >= mayWait) {
                return new Full(Full.Why.QUEUE_FULL, inside, queue.size());
            }
            waiter = new Waiter(new Slot(this));
            queue.add(waiter);
        }
        return await(waiter, atMost.toNanos());
    }

    private boolean isFree() {
        return inside < atOnce && queue.isEmpty();
    }

    private Slot takeSlot() {
        // Created before it counts: if memory or stack is exhausted, no slot may be lost.
        Slot slot = new Slot(this);
        inside++;
        return slot;
    }

    private Entry await(Waiter waiter, long nanos) throws InterruptedException {
        boolean interrupted;
        try {
            interrupted = parkUntilGranted(waiter, nanos);
        } catch (Throwable broken) {
            // Regardless of what ended the wait, the queue position or the slot just granted must not be lost.
            giveUp(waiter);
            throw broken;
        }
        if (interrupted) {
            giveUp(waiter);
            throw new InterruptedException("interrupted while waiting for a free slot");
        }
        return leaveQueue(waiter);
    }

    /** True if interrupted; otherwise the slot is granted or the wait timed out. */
    private boolean parkUntilGranted(Waiter waiter, long nanos) {
        long begun = surroundings.ticker().nanos();
        long left = nanos;
        while (!waiter.granted && left > 0) {
            surroundings.parker().park(this, left);
            if (Thread.interrupted()) {
                return true;
            }
            left = nanos - (surroundings.ticker().nanos() - begun);
        }
        return false;
    }

    /** A slot that was granted at the last moment is taken, not lost. */
    private synchronized Entry leaveQueue(Waiter waiter) {
        queue.remove(waiter);
        return waiter.granted ? waiter.slot : new Full(Full.Why.TIME_OVER, inside, queue.size());
    }

    private void giveUp(Waiter waiter) {
        if (leaveQueue(waiter) instanceof Slot slot) {
            slot.close();
        }
    }

    private void leave(Slot slot) {
        Waiter next;
        synchronized (this) {
            if (slot.left) {
                return;
            }
            slot.left = true;
            inside--;
            next = grantNext();
        }
        if (next != null) {
            LockSupport.unpark(next.thread);
        }
    }

    private @Nullable Waiter grantNext() {
        Iterator<Waiter> longest = queue.iterator();
        if (!longest.hasNext()) {
            return null;
        }
        Waiter next = longest.next();
        longest.remove();
        inside++;
        next.granted = true;
        return next;
    }

    /** Callers inside at this moment. */
    public synchronized int inside() {
        return inside;
    }

    /** Callers waiting at this moment. */
    public synchronized int waiting() {
        return queue.size();
    }
}
