package dev.fusebox.client.resilience;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.SendSlot;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Lets the calls to one server in: at most so many at once, at most so many bytes together, and at most so many
/// wait. Those who wait are let in fairly: the clients take turns, and each client's calls keep their order.
/// Thread-safe; only [#enter] blocks, and never for longer than the caller's patience.
///
/// A place that becomes free is handed to the call whose turn it is, so nobody can overtake. One that is too large
/// for what is free keeps its turn and the others behind it, or it would wait for ever. What waits is in memory as
/// well, so the limit of bytes holds for the queue, too, once more. After an outage [#restartSlowly] lets four
/// calls in, then eight, and so on for two seconds at most.
///
/// The monitor of this object guards everything; it is a leaf, nothing blocks under it, and threads are woken
/// outside.
public final class FairBulkhead {
    private final Limits limits;
    private final Platform platform;
    private final RoundRobinQueue queue = new RoundRobinQueue();
    private final SlowStart slowStart;
    /// The one that it took the place of, as long as somebody is there.
    private volatile @Nullable FairBulkhead former;

    private int inside;
    private int looking;
    private long bytesInside;

    /// How much is let in.
    ///
    /// @param callsAtOnce so many calls may be inside
    /// @param callQueueLength so many may wait; 0 if none shall
    /// @param maxInFlightBytes so many bytes may be inside, and so many more may wait; one call that is larger
    /// than
    ///     that is let in when it is alone
    public record Limits(int callsAtOnce, int callQueueLength, long maxInFlightBytes) {
        public Limits {
            if (callsAtOnce < 1 || callQueueLength < 0 || maxInFlightBytes < 1) {
                throw new IllegalArgumentException("callsAtOnce and maxInFlightBytes must be at least 1 and"
                        + " callQueueLength at least 0, not " + callsAtOnce + ", " + maxInFlightBytes + " and "
                        + callQueueLength);
            }
        }
    }

    /// The answer to a caller: a [Place], or [Full].
    public sealed interface Entry permits Place, Full {}

    /// No place was to be had.
    ///
    /// @param why whether nobody more may wait, the caller's time was over, or the caller gave up
    /// @param inside calls inside at that moment
    /// @param waiting calls that waited at that moment
    public record Full(Why why, int inside, int waiting) implements Entry {
        /// Where the caller failed.
        public enum Why {
            QUEUE_FULL,
            TIME_OVER,
            GIVEN_UP,
            /// All who waited were sent away: see [FairBulkhead#turnAway].
            TURNED_AWAY
        }
    }

    /// The right to be inside, until it is closed; closing twice is the same as once. Thread-safe; nothing blocks.
    public static final class Place implements Entry, AutoCloseable {
        private final FairBulkhead bulkhead;
        private final long bytes;
        private volatile boolean answered;
        private long entered;
        private boolean looks;
        private boolean left;

        private Place(FairBulkhead bulkhead, long bytes) {
            this.bulkhead = bulkhead;
            this.bytes = bytes;
        }

        /// The server answered the call, whatever it said. Must be told before the place is closed.
        public void answered() {
            answered = true;
        }

        /// Nobody but ourselves waits for the call.
        void looks() {
            bulkhead.looks(this);
        }

        @Override
        public void close() {
            bulkhead.leave(this);
        }

        long bytes() {
            return bytes;
        }
    }

    public FairBulkhead(Limits limits, Platform platform) {
        this(limits, platform, null);
    }

    /// @param former whose place it takes; calls that are there stay, and are told of here
    FairBulkhead(Limits limits, Platform platform, @Nullable FairBulkhead former) {
        this.former = busy(former);
        this.limits = limits;
        this.platform = platform;
        this.slowStart = new SlowStart(limits.callsAtOnce());
    }

    /// A place, after waiting for at most the caller's patience. The patience is asked only if there is a wait,
    /// and is told then to wake this thread when it changes.
    ///
    /// @param client whose call it is: those that are equal share a turn
    /// @param bytes how large the call is
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
            Place place = new Place(this, bytes);
            if (queue.isEmpty() && hasRoomFor(bytes)) {
                letIn(place);
                return place;
            }
            if (!mayWait(bytes)) {
                return full(Full.Why.QUEUE_FULL);
            }
            queuedCall = queue.add(client, place);
        }
        slot.leave();
        return await(queuedCall, deadline);
    }

    /// The server was away and is back: lets four calls in, and twice as many with each one that is answered and
    /// every 250 ms without a failure, for two seconds at most. Calls that are inside already do not count for
    /// that.
    public void restartSlowly() {
        synchronized (this) {
            slowStart.outageEnded(now());
        }
        letMoreIn();
    }

    /// The server's process ended during several calls: lets one call in, and from the next process on
    /// twice as many with each one that is answered and every 250 ms without a failure, for two seconds at
    /// most. All at once, the waiting calls would end with the first that crashes the server.
    void restartOneByOne() {
        synchronized (this) {
            slowStart.crashed(now());
        }
        letMoreIn();
    }

    /// There is a connection to the server.
    void connected() {
        synchronized (this) {
            slowStart.connected(now());
        }
        letMoreIn();
    }

    /// Comes back by itself as long as there is less room than usual.
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

    /// Sends all who wait away, since there is nothing to wait for. Those who come later may wait again.
    public void turnAway() {
        QueuedCall woken = null;
        synchronized (this) {
            for (QueuedCall first = queue.first(); first != null; first = queue.first()) {
                queue.take(first);
                woken = first.turnAway(woken);
            }
        }
        QueuedCall.wakeAll(woken);
    }

    private synchronized void looks(Place place) {
        looking += place.looks || place.left ? 0 : 1;
        place.looks = true;
    }

    /// Calls inside at this moment that somebody else waits for.
    synchronized int clients() {
        return inside - looking;
    }

    /// Calls inside at this moment, those that came in by a former one included.
    public int inside() {
        FairBulkhead before = former();
        return insideHere() + (before == null ? 0 : before.inside());
    }

    /// Calls that wait at this moment, those at a former one included.
    public int waiting() {
        FairBulkhead before = former();
        return waitingHere() + (before == null ? 0 : before.waiting());
    }

    private synchronized int insideHere() {
        return inside;
    }

    private synchronized int waitingHere() {
        return queue.size();
    }

    private @Nullable FairBulkhead former() {
        FairBulkhead before = busy(former);
        former = before;
        return before;
    }

    /// The last of those that took each other's place where somebody is: the others are not kept. (Who was on the
    /// way to one of them may still come there, and is not told of.)
    private static @Nullable FairBulkhead busy(@Nullable FairBulkhead last) {
        FairBulkhead found = last;
        while (found != null && found.insideHere() == 0 && found.waitingHere() == 0) {
            found = found.former;
        }
        return found;
    }

    /// So many calls may be inside at this moment: the usual limit, or less after an outage.
    public synchronized int limit() {
        return slowStart.limit(now());
    }

    private boolean hasRoomFor(long bytes) {
        boolean fits = inside == 0 || bytes <= limits.maxInFlightBytes() - bytesInside;
        return inside < limits.callsAtOnce() && fits && slowStart.hasRoom(now());
    }

    private boolean mayWait(long bytes) {
        boolean fits = queue.isEmpty() || bytes <= limits.maxInFlightBytes() - queue.bytes();
        return queue.size() < limits.callQueueLength() && fits;
    }

    private void letIn(Place place) {
        inside++;
        bytesInside += place.bytes;
        place.entered = slowStart.enter();
    }

    /// Lets in all who wait and for whom there is room now; whoever calls it wakes them outside of the monitor.
    private @Nullable QueuedCall letWaitingIn() {
        QueuedCall granted = null;
        QueuedCall first = queue.first();
        while (first != null && hasRoomFor(first.place().bytes)) {
            queue.take(first);
            letIn(first.place());
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
            // Whatever broke the wait, the place in the queue, or the one just granted, must not be lost.
            giveUp(queuedCall);
            throw broken;
        }
        if (interrupted) {
            giveUp(queuedCall);
            throw new InterruptedException("interrupted while waiting to be let in to a server");
        }
        return leaveQueue(queuedCall, deadline.isGivenUp() ? Full.Why.GIVEN_UP : Full.Why.TIME_OVER);
    }

    /// True if interrupted; otherwise the place is granted or the caller's patience is over.
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
        if (leaveQueue(queuedCall, Full.Why.GIVEN_UP) instanceof Place place) {
            place.close();
        }
    }

    /// A place that was granted in the last moment is taken, not lost. Otherwise the one behind may fit where this
    /// one did not.
    private Entry leaveQueue(QueuedCall queuedCall, Full.Why why) {
        QueuedCall woken;
        Full full;
        synchronized (this) {
            if (queuedCall.isGranted()) {
                return queuedCall.place();
            }
            if (queuedCall.isSettled()) {
                return full(Full.Why.TURNED_AWAY);
            }
            queue.remove(queuedCall);
            full = full(why);
            woken = letWaitingIn();
        }
        QueuedCall.wakeAll(woken);
        return full;
    }

    private void leave(Place place) {
        QueuedCall woken;
        synchronized (this) {
            if (place.left) {
                return;
            }
            place.left = true;
            inside--;
            looking -= place.looks ? 1 : 0;
            bytesInside -= place.bytes;
            slowStart.leave(place.entered, place.answered, now());
            woken = letWaitingIn();
        }
        QueuedCall.wakeAll(woken);
    }

    private Full full(Full.Why why) {
        return new Full(why, inside, queue.size());
    }
}
