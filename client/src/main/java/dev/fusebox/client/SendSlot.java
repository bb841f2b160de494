package dev.fusebox.client;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Slot of one message in the [SendOrder] of its client. Thread-safe; only [#await] blocks.
///
/// ```
/// read --toServer--> server known --toConnection--> connection known --sent, waiting or ended--> left
/// ```
///
/// A message waits for an earlier one as long as both may go to the same connection. A message without a
/// connection of its own, such as a notification, does not wait for a connection that is still being opened.
public final class SendSlot {
    /// For messages that do not belong to an ordered client stream.
    public static final SendSlot NONE = new SendSlot(new SendOrder());

    static {
        NONE.release();
    }

    private final SendOrder order;

    /// Neighbours in the list of held slots; guarded by the order, as are the fields below.
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

    /// Assigns the message to a server: messages to other servers no longer wait for it.
    public void toServer(String id) {
        if (!left) {
            destine(id, null, false);
        }
    }

    /// Assigns the message to a connection of its server, which may not be open yet: messages on other
    /// connections no longer wait for it.
    public void toConnection(Object to) {
        if (!left) {
            destine(server, to, false);
        }
    }

    /// Marks the message as waiting until its connection is open.
    public void connecting() {
        if (!left) {
            destine(server, connection, true);
        }
    }

    /// Called only by the message's own thread, which can therefore read its earlier writes without the
    /// monitor.
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

    /// Waits until all earlier messages that may use the same connection have left their slots; false if the
    /// time is over first, or the thread is interrupted.
    ///
    /// @param nanosLeft the remaining time; a thread that shortens it must wake the waiting thread
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

    /// Whether no earlier message has to be sent first. If one has, this thread is woken when that changes.
    /// Waiting for the nearest one is enough, since the others are checked again once it has left.
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

    /// Leaves the slot because the message was sent, waits for something other than its turn, or has ended: no
    /// other message waits for it. Idempotent.
    public void release() {
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
