package dev.fusebox.gateway.pool;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallSuspension;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.config.PoolRules;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Connection pool over all servers: bounds the number of connections, and closes idle ones to make room for
/// others. Thread-safe; only the connector that [#pooled] returns blocks.
///
/// Its monitor is a leaf around [PoolSlots], which decides; connections are closed and threads are woken
/// outside of it. A call on a connection takes the monitor only when its end may matter to another request.
public final class Pool implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(Pool.class);

    /// Estimated time until a place may be free, for refusals.
    private static final Duration BUSY = Duration.ofSeconds(1);

    /// Process trees end within this time, unless the kernel cannot end them; such a tree counts until it is
    /// gone.
    private static final Duration GONE = Duration.ofSeconds(10);

    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Platform platform;
    private final String bound;
    private final PoolSlots slots;
    private final Map<PoolSlot, PooledConnection> open = new ConcurrentHashMap<>();
    private final PoolCounts counts = new PoolCounts();
    private volatile boolean pressed;
    private @Nullable Long warnedAt;
    private @Nullable Long shortAt;
    private boolean closed;
    private @Nullable Timer timer;
    private long plannedAt;

    /// @param bound the configuration key of its size, for messages
    public Pool(Platform platform, String bound, PoolRules rules) {
        this.platform = platform;
        this.bound = bound;
        this.slots = new PoolSlots(rules, this::callSuspension);
    }

    /// A connector whose connections take a place in this pool.
    ///
    /// @param borrowers supplies the borrower of the next connection
    public Connector pooled(Connector connector, Supplier<Borrower> borrowers) {
        return new PooledConnector(this, connector, borrowers, Priority.NEEDED);
    }

    /// Replaces the rules.
    public void update(PoolRules other) {
        synchronized (this) {
            slots.update(other);
        }
        step();
    }

    /// Sets how many servers share the pool.
    public void share(int servers) {
        synchronized (this) {
            slots.share(servers);
        }
        step();
    }

    /// The monotonic clock.
    long now() {
        return platform.ticker().nanos();
    }

    synchronized Duration deadline() {
        return slots.rules().waiting().limit();
    }

    // ---- Acquire

    /// The answer to a request for a slot.
    sealed interface Entry {
        record Granted(PoolSlot slot) implements Entry {}

        record Refused(CallFailure failure) implements Entry {}
    }

    /// Acquires a slot, perhaps after waiting for it.
    Entry enter(Borrower borrower, Priority priority) {
        PoolWaiter waiter = new PoolWaiter(borrower, priority, now());
        Duration limit;
        PoolSlots.RequestResult wish;
        synchronized (this) {
            wish = closed ? PoolSlots.RequestResult.QUEUE_FULL : slots.want(waiter, waiter.since());
            // First, so that connections that become idle from now on report it.
            pressed |= wish == PoolSlots.RequestResult.WAITS;
            limit = slots.rules().waiting().limit();
        }
        if (wish != PoolSlots.RequestResult.WAITS) {
            return refused(waiter, wish);
        }
        step();
        try {
            platform.await(limit.minusNanos(now() - waiter.since()), waiter::isSettled);
            return entered(waiter);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            if (entered(waiter) instanceof Entry.Granted(PoolSlot slot)) {
                free(slot);
            }
            return new Entry.Refused(CallFailure.cancelledUnsent());
        }
    }

    private synchronized Entry entered(PoolWaiter waiter) {
        PoolSlot slot = waiter.slot();
        if (slot != null) {
            return new Entry.Granted(slot);
        }
        slots.waitNoMore(waiter);
        return refused(waiter, waiter.wish());
    }

    /// A request for a spare connection is not counted as refused.
    private Entry refused(PoolWaiter waiter, PoolSlots.RequestResult wish) {
        String message;
        synchronized (this) {
            if (waiter.priority() == Priority.NEEDED) {
                counts.refused();
            }
            message = closed
                    ? "the gateway is shutting down; " + waiter.borrower().server() + " is no longer connected"
                    : refusal(waiter.borrower().server(), wish);
        }
        if (wish == PoolSlots.RequestResult.NO_PLACE || wish == PoolSlots.RequestResult.NO_PLACE_FOR_SERVER) {
            warnIfShort();
        }
        return new Entry.Refused(CallFailure.overloaded(message, BUSY));
    }

    private String refusal(String server, PoolSlots.RequestResult wish) {
        int size = slots.rules().size();
        return switch (wish) {
            case WAITS, QUEUE_FULL ->
                "no connection to " + server + " is available: all "
                        + slots.taken().size() + " (" + bound
                        + ") are in use, and " + slots.waiting()
                        + " callers are waiting; the call was not sent, try again in 1 s";
            case NO_PLACE ->
                "no connection for another session of " + server + ": all " + size + " connections (" + bound
                        + ") belong to other sessions; the call was not sent. Try again when a session has ended, or"
                        + " raise " + bound;
            case NO_PLACE_FOR_SERVER ->
                "no connection for another session of " + server + ": its sessions have " + slots.maxOfOneServer()
                        + " of "
                        + size + " connections (" + bound + "), and one server may have at most half; the call was not"
                        + " sent. Try again when a session has ended, or raise " + bound;
        };
    }

    // ---- In use

    void opened(PoolSlot slot, PooledConnection connection) {
        open.put(slot, connection);
    }

    /// Notes that a connection of this borrower has become idle.
    public void rested(Borrower borrower) {
        if (pressed || borrower.idlePolicy().isBrief()) {
            step();
        }
    }

    /// Notes that a session has used its own connection for the first time, which changes its idle limit.
    void becameProtected() {
        step();
    }

    // ---- Release

    /// Records that a connection has ended or is closing; its slot is freed when its process tree is gone.
    void leaving(PoolSlot slot, Connection connection) {
        synchronized (this) {
            slots.leave(slot);
        }
        // If no thread can be started, the slot is freed at once: one process too many for a moment is better
        // than a place lost forever.
        VirtualThreadStarter.start("fusebox-process-end", () -> awaitGone(slot, connection), () -> give(slot));
    }

    private void awaitGone(PoolSlot slot, Connection connection) {
        try {
            boolean isGone = connection.awaitGone(GONE);
            if (!isGone) {
                LOG.log(
                        Level.WARNING,
                        "a process of " + slot.borrower().server() + " cannot be ended and still counts");
            }
            while (!isGone) {
                isGone = connection.awaitGone(GONE);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            give(slot);
        }
    }

    private void give(PoolSlot slot) {
        slot.close();
        free(slot);
    }

    /// Frees the slot of a connection that is closed completely, or was never opened.
    void free(PoolSlot slot) {
        open.remove(slot);
        synchronized (this) {
            slots.free(slot);
        }
        step();
    }

    /// Cancels what this borrower waits for.
    public void dismiss(Borrower borrower) {
        List<PoolWaiter> sent;
        synchronized (this) {
            sent = slots.dismiss(borrower);
        }
        sent.forEach(PoolWaiter::wake);
    }

    @Override
    public void close() {
        List<PoolWaiter> sent;
        synchronized (this) {
            closed = true;
            sent = slots.dismiss(null);
            if (timer != null) {
                timer.cancel();
            }
        }
        sent.forEach(PoolWaiter::wake);
    }

    // ---- Decisions

    /// Computes the next step, and carries it out.
    private void step() {
        PoolSlots.Step step;
        boolean warns;
        Duration waited;
        synchronized (this) {
            long now = now();
            step = slots.next(now);
            pressed = slots.isPressed();
            warns = step.reserved() > 0 && isNews(now);
            waited = slots.rules().reserve().after();
            plan(now, slots.due(now));
        }
        step.woken().forEach(PoolWaiter::wake);
        step.evicted().forEach(slot -> end(slot, PooledConnection::close));
        step.expired().forEach(slot -> end(slot, PooledConnection::expire));
        step.abandoned().forEach(this::end);
        counts.add(step);
        if (warns) {
            LOG.log(
                    Level.WARNING,
                    "connection pool exhausted for " + waited.toMillis() + " ms; using the reserve of " + bound);
        }
        if (step.isShort()) {
            warnIfShort();
        }
    }

    /// Logs, once a minute at most, which size would be sufficient.
    private void warnIfShort() {
        int needed;
        int size;
        synchronized (this) {
            long now = now();
            if (closed || (shortAt != null && now - shortAt < AGAIN.toNanos())) {
                return;
            }
            shortAt = now;
            size = slots.rules().size();
            needed = Math.max(size + 1, slots.needed(now));
        }
        LOG.log(
                Level.WARNING,
                "connection pool is too small: " + needed + " connections were needed within the last minute, and "
                        + bound + " allows " + size + "; set " + bound + " to " + needed + " or more");
    }

    /// Whether the last message is more than a minute old.
    private boolean isNews(long now) {
        boolean isNews = warnedAt == null || now - warnedAt >= AGAIN.toNanos();
        warnedAt = isNews ? Long.valueOf(now) : warnedAt;
        return isNews;
    }

    private @Nullable CallSuspension callSuspension(PoolSlot slot) {
        PooledConnection connection = open.get(slot);
        return connection == null ? null : connection.callSuspension();
    }

    private void end(AbandonedCalls.Call call) {
        long away = Duration.ofNanos(now() - call.callSuspension().since()).toSeconds();
        LOG.log(
                Level.INFO,
                "a call of " + call.slot().borrower().server()
                        + " was ended: its client has not answered a request for " + away
                        + " s, and the connection is needed (" + bound + ")");
        call.callSuspension().ending().run();
    }

    private void end(PoolSlot slot, Consumer<PooledConnection> ending) {
        PooledConnection connection = open.get(slot);
        if (connection != null) {
            ending.accept(connection);
        }
    }

    /// Looking too early costs one look, so an earlier timer is left alone.
    private void plan(long now, @Nullable Duration due) {
        boolean isPlanned = timer != null && due != null && plannedAt - now > 0 && plannedAt - now <= due.toNanos();
        if (isPlanned) {
            return;
        }
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (due != null && !closed) {
            plannedAt = now + due.toNanos();
            begin(due);
        }
    }

    /// A timer that cannot be scheduled is scheduled with the next look; decisions are carried out in any case.
    private void begin(Duration due) {
        try {
            timer = platform.timers()
                    .schedule(due, () -> VirtualThreadStarter.start("fusebox-pool", this::step, this::step));
        } catch (RuntimeException | Error unplanned) {
            LOG.log(Level.ERROR, "cannot schedule the next change of the connection pool", unplanned);
        }
    }

    // ---- Status

    /// The processes behind the open connections, each the root of its tree.
    List<Long> processes() {
        return open.values().stream()
                .map(PooledConnection::process)
                .filter(Objects::nonNull)
                .toList();
    }

    /// Whether one more connection fits without closing another.
    synchronized boolean hasRoom() {
        return !closed
                && slots.waiting() == 0
                && slots.taken().size() < slots.rules().size();
    }

    /// A snapshot of the pool.
    public synchronized PoolSnapshot snapshot() {
        List<PoolSlot> taken = slots.taken();
        int idle = (int) taken.stream().filter(PoolSlot::isFree).count();
        return new PoolSnapshot(slots.rules().size(), taken.size(), idle, slots.waiting(), counts.totals());
    }
}
