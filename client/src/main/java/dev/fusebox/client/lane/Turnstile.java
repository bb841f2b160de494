package dev.fusebox.client.lane;

import dev.fusebox.client.Patience;
import dev.fusebox.client.SendSlot;
import dev.fusebox.world.World;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Lets the calls to one server in: at most so many at once, at most so many bytes together, and at most so many wait.
/// Those who wait are let in fairly: the clients take turns, and each client's calls keep their order. Thread-safe;
/// only [#enter] blocks, and never for longer than the caller's patience.
///
/// A place that becomes free is handed to the call whose turn it is, so nobody can overtake. One that is too large for
/// what is free keeps its turn and the others behind it, or it would wait for ever. What waits is in memory as well, so
/// the limit of bytes holds for the queue, too, once more. After an outage [#restartSlowly] lets four calls in, then
/// eight, and so on for two seconds at most.
///
/// The monitor of this object guards everything; it is a leaf, nothing blocks under it, and threads are woken outside.
public final class Turnstile {
    private final Limits limits;
    private final World world;
    private final Turns queue = new Turns();
    private final Ramp ramp;
    /// The one that it took the place of, as long as somebody is there.
    private volatile @Nullable Turnstile former;

    private int inside;
    private int looking;
    private long bytesInside;

    /// How much is let in.
    ///
    /// @param callsAtOnce so many calls may be inside
    /// @param callQueueLength so many may wait; 0 if none shall
    /// @param maxInFlightBytes so many bytes may be inside, and so many more may wait; one call that is larger than
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
            /// All who waited were sent away: see [Turnstile#turnAway].
            TURNED_AWAY
        }
    }

    /// The right to be inside, until it is closed; closing twice is the same as once. Thread-safe; nothing blocks.
    public static final class Place implements Entry, AutoCloseable {
        private final Turnstile turnstile;
        private final long bytes;
        private volatile boolean answered;
        private long entered;
        private boolean looks;
        private boolean left;

        private Place(Turnstile turnstile, long bytes) {
            this.turnstile = turnstile;
            this.bytes = bytes;
        }

        /// The server answered the call, whatever it said. Must be told before the place is closed.
        public void answered() {
            answered = true;
        }

        /// Nobody but ourselves waits for the call.
        void looks() {
            turnstile.looks(this);
        }

        @Override
        public void close() {
            turnstile.leave(this);
        }

        long bytes() {
            return bytes;
        }
    }

    public Turnstile(Limits limits, World world) {
        this(limits, world, null);
    }

    /// @param former whose place it takes; calls that are there stay, and are told of here
    Turnstile(Limits limits, World world, @Nullable Turnstile former) {
        this.former = busy(former);
        this.limits = limits;
        this.world = world;
        this.ramp = new Ramp(limits.callsAtOnce());
    }

    /// A place, after waiting for at most the caller's patience. The patience is asked only if there is a wait, and is
    /// told then to wake this thread when it changes.
    ///
    /// @param client whose call it is: those that are equal share a turn
    /// @param bytes how large the call is
    public Entry enter(Object client, long bytes, Patience patience) throws InterruptedException {
        return enter(client, bytes, patience, SendSlot.NONE);
    }

    /// The same for a call that others of its client may overtake while it waits.
    Entry enter(LaneCall call) throws InterruptedException {
        return enter(call.client(), call.bytes(), call.patience(), call.call().slot());
    }

    private Entry enter(Object client, long bytes, Patience patience, SendSlot slot) throws InterruptedException {
        if (bytes < 0) {
            throw new IllegalArgumentException("a call has no " + bytes + " bytes");
        }
        Waiter waiter;
        synchronized (this) {
            Place place = new Place(this, bytes);
            if (queue.isEmpty() && hasRoomFor(bytes)) {
                letIn(place);
                return place;
            }
            if (!mayWait(bytes)) {
                return full(Full.Why.QUEUE_FULL);
            }
            waiter = queue.add(client, place);
        }
        slot.leave();
        return await(waiter, patience);
    }

    /// The server was away and is back: lets four calls in, and twice as many with each one that is answered and every
    /// 250 ms without a failure, for two seconds at most. Calls that are inside already do not count for that.
    public void restartSlowly() {
        synchronized (this) {
            ramp.outageEnded(now());
        }
        letMoreIn();
    }

    /// The server's process ended during several calls: lets one call in, and from the next process on
    /// twice as many with each one that is answered and every 250 ms without a failure, for two seconds at
    /// most. All at once, the waiting calls would end with the first that crashes the server.
    void restartOneByOne() {
        synchronized (this) {
            ramp.crashed(now());
        }
        letMoreIn();
    }

    /// There is a connection to the server.
    void connected() {
        synchronized (this) {
            ramp.connected(now());
        }
        letMoreIn();
    }

    /// Comes back by itself as long as there is less room than usual.
    private void letMoreIn() {
        Waiter woken;
        long left;
        synchronized (this) {
            woken = letWaitingIn();
            left = ramp.untilGrowth(now());
        }
        Waiter.wakeAll(woken);
        if (left > 0) {
            world.timers().schedule(Duration.ofNanos(left), this::letMoreIn);
        }
    }

    private long now() {
        return world.ticker().nanos();
    }

    /// Sends all who wait away, since there is nothing to wait for. Those who come later may wait again.
    public void turnAway() {
        Waiter woken = null;
        synchronized (this) {
            for (Waiter first = queue.first(); first != null; first = queue.first()) {
                queue.take(first);
                woken = first.turnAway(woken);
            }
        }
        Waiter.wakeAll(woken);
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
        Turnstile before = former();
        return insideHere() + (before == null ? 0 : before.inside());
    }

    /// Calls that wait at this moment, those at a former one included.
    public int waiting() {
        Turnstile before = former();
        return waitingHere() + (before == null ? 0 : before.waiting());
    }

    private synchronized int insideHere() {
        return inside;
    }

    private synchronized int waitingHere() {
        return queue.size();
    }

    private @Nullable Turnstile former() {
        Turnstile before = busy(former);
        former = before;
        return before;
    }

    /// The last of those that took each other's place where somebody is: the others are not kept. (Who was on the way
    /// to one of them may still come there, and is not told of.)
    private static @Nullable Turnstile busy(@Nullable Turnstile last) {
        Turnstile found = last;
        while (found != null && found.insideHere() == 0 && found.waitingHere() == 0) {
            found = found.former;
        }
        return found;
    }

    /// So many calls may be inside at this moment: the usual limit, or less after an outage.
    public synchronized int limit() {
        return ramp.limit(now());
    }

    private boolean hasRoomFor(long bytes) {
        boolean fits = inside == 0 || bytes <= limits.maxInFlightBytes() - bytesInside;
        return inside < limits.callsAtOnce() && fits && ramp.hasRoom(now());
    }

    private boolean mayWait(long bytes) {
        boolean fits = queue.isEmpty() || bytes <= limits.maxInFlightBytes() - queue.bytes();
        return queue.size() < limits.callQueueLength() && fits;
    }

    private void letIn(Place place) {
        inside++;
        bytesInside += place.bytes;
        place.entered = ramp.enter();
    }

    /// Lets in all who wait and for whom there is room now; whoever calls it wakes them outside of the monitor.
    private @Nullable Waiter letWaitingIn() {
        Waiter granted = null;
        Waiter first = queue.first();
        while (first != null && hasRoomFor(first.place().bytes)) {
            queue.take(first);
            letIn(first.place());
            granted = first.grant(granted);
            first = queue.first();
        }
        return granted;
    }

    private Entry await(Waiter waiter, Patience patience) throws InterruptedException {
        boolean interrupted;
        try {
            interrupted = parkUntilGranted(waiter, patience);
        } catch (Throwable broken) {
            // Whatever broke the wait, the place in the queue, or the one just granted, must not be lost.
            giveUp(waiter);
            throw broken;
        }
        if (interrupted) {
            giveUp(waiter);
            throw new InterruptedException("interrupted while waiting to be let in to a server");
        }
        return leaveQueue(waiter, patience.isGivenUp() ? Full.Why.GIVEN_UP : Full.Why.TIME_OVER);
    }

    /// True if interrupted; otherwise the place is granted or the caller's patience is over.
    private boolean parkUntilGranted(Waiter waiter, Patience patience) {
        patience.onChange(waiter::wake);
        long left = patience.left();
        while (!waiter.isSettled() && left > 0) {
            world.timers().park(left);
            if (Thread.interrupted()) {
                return true;
            }
            left = patience.left();
        }
        return false;
    }

    private void giveUp(Waiter waiter) {
        if (leaveQueue(waiter, Full.Why.GIVEN_UP) instanceof Place place) {
            place.close();
        }
    }

    /// A place that was granted in the last moment is taken, not lost. Otherwise the one behind may fit where this one
    /// did not.
    private Entry leaveQueue(Waiter waiter, Full.Why why) {
        Waiter woken;
        Full full;
        synchronized (this) {
            if (waiter.isGranted()) {
                return waiter.place();
            }
            if (waiter.isSettled()) {
                return full(Full.Why.TURNED_AWAY);
            }
            queue.remove(waiter);
            full = full(why);
            woken = letWaitingIn();
        }
        Waiter.wakeAll(woken);
        return full;
    }

    private void leave(Place place) {
        Waiter woken;
        synchronized (this) {
            if (place.left) {
                return;
            }
            place.left = true;
            inside--;
            looking -= place.looks ? 1 : 0;
            bytesInside -= place.bytes;
            ramp.leave(place.entered, place.answered, now());
            woken = letWaitingIn();
        }
        Waiter.wakeAll(woken);
    }

    private Full full(Full.Why why) {
        return new Full(why, inside, queue.size());
    }
}
