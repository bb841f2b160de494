package dev.fusebox.gateway.pool;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A request that waits for a seat. Its result is written under the lock of the pool and read by the thread that
/// waits.
final class Waiter {
    private final Thread thread = Thread.currentThread();
    private final Tenant tenant;
    private final Urgency urgency;
    private final Object client;
    private final long since;
    private volatile @Nullable Seat seat;
    private volatile Seats.@Nullable Wish dismissed;

    /// @param since by the monotonic clock
    Waiter(Tenant tenant, Urgency urgency, long since) {
        this.tenant = tenant;
        this.urgency = urgency;
        this.client = tenant.client();
        this.since = since;
    }

    Tenant tenant() {
        return tenant;
    }

    Urgency urgency() {
        return urgency;
    }

    Object client() {
        return client;
    }

    long since() {
        return since;
    }

    /// Null as long as there is none.
    @Nullable
    Seat seat() {
        return seat;
    }

    void take(Seat given) {
        seat = given;
    }

    /// There is nothing to wait for any more.
    void dismiss(Seats.Wish why) {
        dismissed = why;
    }

    /// Why there is nothing to wait for; that it still waits if it does.
    Seats.Wish wish() {
        Seats.Wish why = dismissed;
        return why == null ? Seats.Wish.WAITS : why;
    }

    boolean isSettled() {
        return dismissed != null || seat != null;
    }

    void wake() {
        LockSupport.unpark(thread);
    }
}
