package dev.fusebox.client.resilience;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.SendSlot;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A bulkhead with a fair queue for the calls to one server. It bounds the running calls, their total bytes,
/// and the queue. Clients take turns, and each client's calls keep their order. Thread-safe; only [#enter]
/// blocks, at most until the deadline of the call.
///
/// A place that becomes free is handed to the call whose turn it is, so no call can overtake. A call that is
/// too large for the free bytes keeps its turn and the others behind it, or it would wait forever. Queued
/// calls are in memory as well, so the same limit of bytes holds for the queue. After an outage
/// [#restartSlowly] admits four calls, then eight, and so on for two seconds at most.
///
/// The monitor of this object guards everything; it is a leaf: nothing blocks under it, and threads are woken
/// outside.
public final class FairBulkhead {
    private final Limits limits;
    private final Platform platform;
    private final RoundRobinQueue queue = new RoundRobinQueue();
    private final SlowStart slowStart;
    /// The bulkhead that this one has replaced, as long as it has calls.
    private volatile @Nullable FairBulkhead former;

    private int inFlight;
    private int looking;
    private long bytesInside;

    /// The limits of a bulkhead. Immutable.
    ///
    /// @param callsAtOnce bound on running calls
    /// @param callQueueLength bound on queued calls; 0 for no queue
    /// @param maxInFlightBytes bound on the bytes of running calls, and again on those of queued calls; a
    ///     single larger call is admitted when it is alone
    public record Limits(int callsAtOnce, int callQueueLength, long maxInFlightBytes) {
        public Limits {
            if (callsAtOnce < 1 || callQueueLength < 0 || maxInFlightBytes < 1) {
                throw new IllegalArgumentException("callsAtOnce and maxInFlightBytes must be at least 1 and"
                        + " callQueueLength at least 0, not " + callsAtOnce + ", " + maxInFlightBytes + " and "
                        + callQueueLength);
            }
        }
    }

    /// The answer to a caller: a [Slot], or [Full].
    public sealed interface Entry permits Slot, Full {}

    /// The refusal of a call.
    ///
    /// @param rejectionReason the queue is full, the call timed out, the caller gave up, or the queue was emptied
    /// @param inside running calls at that moment
    /// @param waiting queued calls at that moment
    public record Full(RejectionReason rejectionReason, int inside, int waiting) implements Entry {
        /// The reason of a refusal.
        public enum RejectionReason {
            QUEUE_FULL,
            TIME_OVER,
            GIVEN_UP,
            /// The queue was emptied: see [FairBulkhead#rejectQueued].
            TURNED_AWAY
        }
    }

    /// The place of a running call, held until it is closed; close is idempotent. Thread-safe; nothing blocks.
    public static final class Slot implements Entry, AutoCloseable {
        private final FairBulkhead bulkhead;
        private final long bytes;
        private volatile boolean answered;
        private long entered;
        private boolean looks;
        private boolean left;

        private Slot(FairBulkhead bulkhead, long bytes) {
            this.bulkhead = bulkhead;
            this.bytes = bytes;
        }

        /// Notes that the server answered the call, with a result or an error. Must be called before the place
        /// is closed.
        public void answered() {
            answered = true;
        }

        /// Marks the call as the gateway's own, without a waiting client.
        void looks() {
            bulkhead.markInternal(this);
        }

        @Override
        public void close() {
            bulkhead.release(this);
        }

        long bytes() {
            return bytes;
        }
    }

    public FairBulkhead(Limits limits, Platform platform) {
        this(limits, platform, null);
    }

    /// @param former the bulkhead that it replaces, whose calls finish there and are counted here; null if
    ///     there is none
    FairBulkhead(Limits limits, Platform platform, @Nullable FairBulkhead former) {
        this.former = busy(former);
        this.limits = limits;
        this.platform = platform;
        this.slowStart = new SlowStart(limits.callsAtOnce());
    }

    /// Waits for a place until the deadline at most. If the call has to wait, a change of the deadline wakes
    /// this thread.
    ///
    /// @param client whose turn in the queue the call takes: equal clients share a turn
    /// @param bytes size of the call
    public Entry enter(Object client, long bytes, Deadline deadline) throws InterruptedException {
        return enter(client, bytes, deadline, SendSlot.NONE);
    }

    /// The same for a call that others of its client may overtake while it waits.
    Entry enter(PipelineCall call) throws InterruptedException {
        return enter(call.client(), call.bytes(), call.deadline(), call.call().slot());
    }

    private Entry enter(Object client, long bytes, Deadline deadline, SendSlot slot) throws InterruptedException {
        if (bytes < 0) {
            throw new IllegalArgumentException("a call has no " + bytes + " bytes");
        }
        QueuedCall queuedCall;
        synchronized (this) {
            Slot place = new Slot(this, bytes);
            if (queue.isEmpty() && hasRoomFor(bytes)) {
                letIn(place);
                return place;
            }
            if (!mayWait(bytes)) {
                return full(Full.RejectionReason.QUEUE_FULL);
            }
            queuedCall = queue.add(client, place);
        }
        slot.release();
        return await(queuedCall, deadline);
    }

    /// Begins slow start after an outage: admits four calls, and twice as many with each answered call and
    /// every 250 ms without a failure, for two seconds at most. Calls that are running already do not count for
    /// that.
    public void restartSlowly() {
        synchronized (this) {
            slowStart.outageEnded(now());
        }
        letMoreIn();
    }

    /// Begins slow start after the server's process ended during several calls: admits one call, and from the
    /// next process on twice as many with each answered call and every 250 ms without a failure, for two
    /// seconds at most. If all waiting calls were admitted at once, they would all end with the first one that
    /// crashes the server.
    void restartOneByOne() {
        synchronized (this) {
            slowStart.crashed(now());
        }
        letMoreIn();
    }

    /// Notes a new connection to the server.
    void connected() {
        synchronized (this) {
            slowStart.connected(now());
        }
        letMoreIn();
    }

    /// Runs again by itself as long as the limit is below the usual one.
    private void letMoreIn() {
        QueuedCall woken;
        long left;
        synchronized (this) {
            woken = letWaitingIn();
            left = slowStart.untilGrowth(now());
        }
        QueuedCall.wakeAll(woken);
        if (left > 0) {
            platform.timers().schedule(Duration.ofNanos(left), this::letMoreIn);
        }
    }

    private long now() {
        return platform.ticker().nanos();
    }

    /// Empties the queue and refuses its calls, since the server counts as down. Later calls may wait again.
    public void rejectQueued() {
        QueuedCall woken = null;
        synchronized (this) {
            for (QueuedCall first = queue.first(); first != null; first = queue.first()) {
                queue.take(first);
                woken = first.reject(woken);
            }
        }
        QueuedCall.wakeAll(woken);
    }

    private synchronized void markInternal(Slot place) {
        looking += place.looks || place.left ? 0 : 1;
        place.looks = true;
    }

    /// The number of running calls of clients.
    synchronized int clients() {
        return inFlight - looking;
    }

    /// The number of running calls, including those admitted by a replaced bulkhead.
    public int inFlight() {
        FairBulkhead before = former();
        return insideHere() + (before == null ? 0 : before.inFlight());
    }

    /// The number of queued calls, including those of a replaced bulkhead.
    public int waiting() {
        FairBulkhead before = former();
        return waitingHere() + (before == null ? 0 : before.waiting());
    }

    private synchronized int insideHere() {
        return inFlight;
    }

    private synchronized int waitingHere() {
        return queue.size();
    }

    private @Nullable FairBulkhead former() {
        FairBulkhead before = busy(former);
        former = before;
        return before;
    }

    /// The latest bulkhead in the chain of replaced ones that still has calls: the others are dropped. (A call
    /// that is about to enter a dropped one may still do so, and is not counted here.)
    private static @Nullable FairBulkhead busy(@Nullable FairBulkhead last) {
        FairBulkhead found = last;
        while (found != null && found.insideHere() == 0 && found.waitingHere() == 0) {
            found = found.former;
        }
        return found;
    }

    /// The current bound on running calls: the usual limit, or less after an outage.
    public synchronized int limit() {
        return slowStart.limit(now());
    }

    private boolean hasRoomFor(long bytes) {
        boolean fits = inFlight == 0 || bytes <= limits.maxInFlightBytes() - bytesInside;
        return inFlight < limits.callsAtOnce() && fits && slowStart.hasRoom(now());
    }

    private boolean mayWait(long bytes) {
        boolean fits = queue.isEmpty() || bytes <= limits.maxInFlightBytes() - queue.bytes();
        return queue.size() < limits.callQueueLength() && fits;
    }

    private void letIn(Slot place) {
        inFlight++;
        bytesInside += place.bytes;
        place.entered = slowStart.enter();
    }

    /// Admits all queued calls for which there is room now; the caller wakes them outside of the monitor.
    private @Nullable QueuedCall letWaitingIn() {
        QueuedCall granted = null;
        QueuedCall first = queue.first();
        while (first != null && hasRoomFor(first.slot().bytes)) {
            queue.take(first);
            letIn(first.slot());
            granted = first.grant(granted);
            first = queue.first();
        }
        return granted;
    }

    private Entry await(QueuedCall queuedCall, Deadline deadline) throws InterruptedException {
        boolean interrupted;
        try {
            interrupted = parkUntilGranted(queuedCall, deadline);
        } catch (Throwable broken) {
            // Regardless of what interrupted the wait, the queue position or the slot just granted must not be
            // lost.
            giveUp(queuedCall);
            throw broken;
        }
        if (interrupted) {
            giveUp(queuedCall);
            throw new InterruptedException("interrupted while waiting for a bulkhead slot");
        }
        return leaveQueue(
                queuedCall, deadline.isGivenUp() ? Full.RejectionReason.GIVEN_UP : Full.RejectionReason.TIME_OVER);
    }

    /// True if interrupted; otherwise the place is granted or the deadline has passed.
    private boolean parkUntilGranted(QueuedCall queuedCall, Deadline deadline) {
        deadline.onChange(queuedCall::wake);
        long left = deadline.left();
        while (!queuedCall.isSettled() && left > 0) {
            platform.timers().park(left);
            if (Thread.interrupted()) {
                return true;
            }
            left = deadline.left();
        }
        return false;
    }

    private void giveUp(QueuedCall queuedCall) {
        if (leaveQueue(queuedCall, Full.RejectionReason.GIVEN_UP) instanceof Slot place) {
            place.close();
        }
    }

    /// A place that was granted in the last moment is used, not lost. Otherwise the next call may fit where
    /// this one did not.
    private Entry leaveQueue(QueuedCall queuedCall, Full.RejectionReason rejectionReason) {
        QueuedCall woken;
        Full full;
        synchronized (this) {
            if (queuedCall.isGranted()) {
                return queuedCall.slot();
            }
            if (queuedCall.isSettled()) {
                return full(Full.RejectionReason.TURNED_AWAY);
            }
            queue.remove(queuedCall);
            full = full(rejectionReason);
            woken = letWaitingIn();
        }
        QueuedCall.wakeAll(woken);
        return full;
    }

    private void release(Slot place) {
        QueuedCall woken;
        synchronized (this) {
            if (place.left) {
                return;
            }
            place.left = true;
            inFlight--;
            looking -= place.looks ? 1 : 0;
            bytesInside -= place.bytes;
            slowStart.leave(place.entered, place.answered, now());
            woken = letWaitingIn();
        }
        QueuedCall.wakeAll(woken);
    }

    private Full full(Full.RejectionReason rejectionReason) {
        return new Full(rejectionReason, inFlight, queue.size());
    }
}
