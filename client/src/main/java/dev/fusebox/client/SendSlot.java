package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The place of one message in the [SendOrder] of its client. Thread-safe; only [#await] blocks.
///
/// ```
/// read --toServer--> server known --toConnection--> connection known --sent, waiting or ended--> left
/// ```
///
/// A message waits for an earlier one as long as both may go to the same connection. One that goes to no
/// connection in particular, like a notification, does not wait for a connection that is still being opened.
public final class SendSlot {
    /// For messages that no client stream puts in order.
    public static final SendSlot NONE = new SendSlot(new SendOrder());

    static {
        NONE.leave();
    }

    private final SendOrder order;

    /// Neighbours among the slots that are held; guarded by the order, as are the fields below.
    @Nullable
    SendSlot before;

    @Nullable
    SendSlot after;

    private @Nullable String server;
    private @Nullable Object connection;
    private boolean isConnecting;
    private @Nullable List<Thread> waiting;
    private volatile boolean left;

    SendSlot(SendOrder order) {
        this.order = order;
    }

    /// The message goes to this server: those to other servers no longer wait for it.
    public void toServer(String id) {
        if (!left) {
            destine(id, null, false);
        }
    }

    /// The message goes to its server over this connection, which may not be open yet: those that use other
    /// connections no longer wait for it.
    public void toConnection(Object to) {
        if (!left) {
            destine(server, to, false);
        }
    }

    /// The message waits until its connection is open.
    public void connecting() {
        if (!left) {
            destine(server, connection, true);
        }
    }

    /// Called by the message's own thread only, which therefore reads without the monitor what it wrote before.
    private void destine(@Nullable String id, @Nullable Object to, boolean connects) {
        List<Thread> woken;
        synchronized (order) {
            server = id;
            connection = to;
            isConnecting = connects;
            woken = waiting;
            waiting = null;
        }
        wake(woken);
    }

    /// Waits until all earlier messages that may use the same connection have left their slots; false if the time
    /// is over first, or the thread is interrupted.
    ///
    /// @param nanosLeft how long to wait; a thread that shortens it wakes the waiting one
    public boolean await(Platform platform, LongSupplier nanosLeft) {
        try {
            long nanos = nanosLeft.getAsLong();
            while (nanos > 0 && !isTurn()) {
                platform.await(Duration.ofNanos(nanos), () -> nanosLeft.getAsLong() <= 0 || isTurn());
                nanos = nanosLeft.getAsLong();
            }
            return nanos > 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Whether no earlier message has to go first. If one has, this thread is woken when that changes: the nearest
    /// one is enough for that, as the others are looked at once it has left.
    public boolean isTurn() {
        if (left) {
            return true;
        }
        synchronized (order) {
            for (SendSlot earlier = before; earlier != null; earlier = earlier.before) {
                if (earlier.precedes(this)) {
                    earlier.wakes(Thread.currentThread());
                    return false;
                }
            }
            return true;
        }
    }

    private boolean precedes(SendSlot later) {
        boolean isLaterBound = later.server != null || later.connection != null;
        return (isLaterBound || !isConnecting)
                && mayBeSame(server, later.server)
                && mayBeSame(connection, later.connection);
    }

    private static boolean mayBeSame(@Nullable Object one, @Nullable Object other) {
        return one == null || other == null || one.equals(other);
    }

    private void wakes(Thread thread) {
        List<Thread> known = waiting == null ? new ArrayList<>(1) : waiting;
        waiting = known;
        if (!known.contains(thread)) {
            known.add(thread);
        }
    }

    /// The message was sent, or waits for something else than its turn, or has ended: no other message waits for
    /// it. Twice is the same as once.
    public void leave() {
        if (left) {
            return;
        }
        List<Thread> woken;
        synchronized (order) {
            if (left) {
                return;
            }
            left = true;
            order.remove(this);
            woken = waiting;
            waiting = null;
        }
        wake(woken);
    }

    private static void wake(@Nullable List<Thread> threads) {
        if (threads != null) {
            threads.forEach(LockSupport::unpark);
        }
    }
}
