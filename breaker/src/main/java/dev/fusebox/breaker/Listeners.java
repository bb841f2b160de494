package dev.fusebox.breaker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a breaker. Thread-safe; a notification never throws and holds no lock, so a listener may call the
 * breaker.
 *
 * <p>The listeners of a manager get the events of all its breakers: they are the {@code parent} here.
 */
final class Listeners {
    private final Executor executor;
    private volatile @Nullable Listeners parent;
    private final LongAdder dropped = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private volatile List<Listener<?>> all = List.of();
    private volatile boolean hearCalls;
    private volatile boolean hearRejections;

    Listeners(Executor executor, @Nullable Listeners parent) {
        this.executor = executor;
        this.parent = parent;
    }

    /** Adds a listener for all events of one type, which may be {@link BreakerEvent} itself. */
    synchronized <E extends BreakerEvent> Subscription add(Class<E> type, Consumer<? super E> action) {
        Listener<E> listener = new Listener<>(type, action);
        List<Listener<?>> more = new ArrayList<>(all);
        more.add(listener);
        replace(more);
        return () -> remove(listener);
    }

    synchronized void clear() {
        replace(List.of());
    }

    /** Removes all listeners, and those of the manager as well. */
    synchronized void detach() {
        parent = null;
        clear();
    }

    private synchronized void remove(Listener<?> listener) {
        List<Listener<?>> fewer = new ArrayList<>(all);
        fewer.remove(listener);
        replace(fewer);
    }

    private void replace(List<Listener<?>> next) {
        all = List.copyOf(next);
        hearCalls =
                all.stream().anyMatch(l -> l.hears(BreakerEvent.CallSucceeded.class, BreakerEvent.CallFailed.class));
        hearRejections = all.stream().anyMatch(l -> l.hears(BreakerEvent.CallRejected.class));
    }

    /** Whether any listener needs the events of calls: only then are calls timed and events created. */
    boolean wantCalls() {
        Listeners managers = parent;
        return hearCalls || (managers != null && managers.wantCalls());
    }

    boolean wantRejections() {
        Listeners managers = parent;
        return hearRejections || (managers != null && managers.wantRejections());
    }

    void tell(BreakerEvent event) {
        tell(event, this);
    }

    /** Failures are counted at the breaker of the event, also if a manager's listener failed. */
    private void tell(BreakerEvent event, Listeners origin) {
        for (Listener<?> listener : all) {
            if (listener.type.isInstance(event)) {
                origin.hand(listener, event, executor);
            }
        }
        Listeners managers = parent;
        if (managers != null) {
            managers.tell(event, origin);
        }
    }

    private void hand(Listener<?> listener, BreakerEvent event, Executor to) {
        try {
            to.execute(() -> deliver(listener, event));
        } catch (Throwable notTaken) {
            // Usually a full queue. No exception of an executor may become the caller's result.
            dropped.increment();
        }
    }

    private void deliver(Listener<?> listener, BreakerEvent event) {
        try {
            listener.accept(event);
        } catch (Throwable fault) {
            countFault();
        }
    }

    void countFault() {
        faults.increment();
    }

    /** Events that the executor rejected. */
    long dropped() {
        return dropped.sum();
    }

    /** Exceptions of listeners and judges. */
    long faults() {
        return faults.sum();
    }

    /** One listener; compared by identity, so that the same action may be added twice. */
    private static final class Listener<E extends BreakerEvent> {
        private final Class<E> type;
        private final Consumer<? super E> action;

        Listener(Class<E> type, Consumer<? super E> action) {
            this.type = type;
            this.action = action;
        }

        boolean hears(Class<?>... events) {
            for (Class<?> event : events) {
                if (type.isAssignableFrom(event)) {
                    return true;
                }
            }
            return false;
        }

        void accept(BreakerEvent event) {
            action.accept(type.cast(event));
        }
    }
}
