package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The event log: all events in one order, for the log, for event streams and for traces. Thread-safe; nothing
/// blocks.
///
/// Publishing costs the caller one entry in a ring buffer. Listeners are called on a separate thread, which exists
/// only while there are events for a listener; a listener that is too slow for the ring misses the overwritten
/// events, and receives their number.
public final class EventLog {
    private static final System.Logger LOG = LazyLoggers.of(EventLog.class);

    /// More than the state changes of a thousand servers in a second.
    private static final int HELD = 8_192;

    /// The number of events that are replayed to a reconnecting listener.
    static final int REPLAYED = 1_000;

    /// No event has this number.
    private static final long NOTHING = -1;

    /// The number of events delivered in one turn.
    private static final int BATCH = 256;

    private final InstantSource clock;
    private final long first;

    private final SequencedEvent[] ring = new SequencedEvent[HELD];
    private long next;
    private boolean isDelivering;
    private boolean hasPending;
    private volatile List<Subscriber> subscribers = List.of();

    /// @param clock numbers start with its time, so that they keep growing after a restart
    public EventLog(InstantSource clock) {
        this.clock = clock;
        this.first = clock.millis() * 1_000;
        this.next = first;
    }

    /// A listener. Called by one thread at a time; must not block. Events that it does not subscribe to cost it
    /// nothing, however many there are.
    public interface Listener extends Consumer<SequencedEvent> {
        /// Called with the number of events that were overwritten before they could be delivered.
        default void missed(long count) {}
    }

    /// The registration of a listener, which [#close] ends. Closing twice has no further effect.
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /// Publishes an event.
    public void publish(Event event) {
        List<Subscriber> asked = subscribers;
        List<Subscriber> interested = interested(asked, event);
        long now = clock.millis();
        synchronized (ring) {
            ring[(int) (next % HELD)] = new SequencedEvent(next, now, event);
            // A listener that was added in the meantime was not consulted, and may need the event.
            for (Subscriber subscriber : asked.equals(subscribers) ? interested : subscribers) {
                subscriber.nextNumber = subscriber.nextNumber == NOTHING ? next : subscriber.nextNumber;
                hasPending = true;
            }
            next++;
            if (!hasPending || isDelivering) {
                return;
            }
            isDelivering = true;
        }
        start();
    }

    /// Most events have no listener, and then this allocates nothing.
    private static List<Subscriber> interested(List<Subscriber> asked, Event event) {
        List<Subscriber> interested = List.of();
        for (Subscriber subscriber : asked) {
            if (subscriber.wanted.test(event)) {
                interested = interested.isEmpty() ? new ArrayList<>() : interested;
                interested.add(subscriber);
            }
        }
        return interested;
    }

    /// Registers a listener for later events.
    public Registration listen(Predicate<Event> wanted, Listener listener) {
        return add(new Subscriber(wanted, listener), Long.MAX_VALUE);
    }

    /// Registers a listener that first receives the events after this number, as far as they are among the last
    /// thousand, then later ones. An unknown number stands for the beginning.
    public Registration listenAfter(long number, Predicate<Event> wanted, Listener listener) {
        return add(new Subscriber(wanted, listener), number);
    }

    private Registration add(Subscriber subscriber, long after) {
        boolean starts;
        synchronized (ring) {
            long oldest = Math.max(first, next - REPLAYED);
            boolean isKnown = after >= oldest - 1 && after < next;
            long begin = after == Long.MAX_VALUE ? next : isKnown ? after + 1 : oldest;
            subscriber.nextNumber = begin < next ? begin : NOTHING;
            subscribers =
                    Stream.concat(subscribers.stream(), Stream.of(subscriber)).toList();
            hasPending |= subscriber.nextNumber != NOTHING;
            starts = hasPending && !isDelivering;
            isDelivering |= starts;
        }
        if (starts) {
            start();
        }
        return () -> remove(subscriber);
    }

    private void remove(Subscriber subscriber) {
        synchronized (ring) {
            subscribers = subscribers.stream()
                    .filter(each -> !each.equals(subscriber))
                    .toList();
        }
    }

    private void start() {
        VirtualThreadStarter.start("fusebox-events", this::deliverAll, this::stop);
    }

    /// The next event starts it again.
    private void stop() {
        synchronized (ring) {
            isDelivering = false;
        }
    }

    private void deliverAll() {
        while (hasMore()) {
            subscribers.forEach(this::deliverAll);
        }
    }

    private void deliverAll(Subscriber subscriber) {
        for (List<SequencedEvent> batch = batch(subscriber); !batch.isEmpty(); batch = batch(subscriber)) {
            batch.forEach(event -> deliver(subscriber, event));
        }
    }

    private boolean hasMore() {
        synchronized (ring) {
            isDelivering = hasPending;
            hasPending = false;
            return isDelivering;
        }
    }

    private static void deliver(Subscriber subscriber, SequencedEvent event) {
        callSafely(() -> {
            if (subscriber.wanted.test(event.event())) {
                subscriber.listener.accept(event);
            }
        });
    }

    /// A failing listener misses this event only, and does not affect other listeners.
    private static void callSafely(Runnable isDelivering) {
        try {
            isDelivering.run();
        } catch (RuntimeException | Error faulty) {
            LOG.log(Level.WARNING, "an event listener failed: " + faulty);
        }
    }

    private List<SequencedEvent> batch(Subscriber subscriber) {
        List<SequencedEvent> batch = new ArrayList<>();
        long missed;
        synchronized (ring) {
            if (subscriber.nextNumber == NOTHING) {
                return batch;
            }
            long at = Math.max(subscriber.nextNumber, next - HELD);
            missed = at - subscriber.nextNumber;
            for (; at < next && batch.size() < BATCH; at++) {
                batch.add(ring[(int) (at % HELD)]);
            }
            subscriber.nextNumber = at < next ? at : NOTHING;
        }
        if (missed > 0) {
            long count = missed;
            callSafely(() -> subscriber.listener.missed(count));
        }
        return batch;
    }

    /// A registered listener, and the number of the next event to deliver, which the monitor of the ring guards.
    private static final class Subscriber {
        private final Predicate<Event> wanted;
        private final Listener listener;
        private long nextNumber = NOTHING;

        Subscriber(Predicate<Event> wanted, Listener listener) {
            this.wanted = wanted;
            this.listener = listener;
        }
    }
}
