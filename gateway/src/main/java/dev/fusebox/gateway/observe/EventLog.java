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

/// The event log: all events in one order, for the log, for event streams and for traces. Thread-safe; nothing blocks.
///
/// Publishing costs the caller one entry in a ring buffer. Listeners are called on a separate thread, which exists only
/// while there are events for a listener; a listener that is too slow for the ring misses the overwritten events, and
/// is told how many.
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
    private boolean telling;
    private boolean rung;
    private volatile List<Ear> ears = List.of();

    /// @param clock numbers start with its time, so that they keep growing after a restart
    public EventLog(InstantSource clock) {
        this.clock = clock;
        this.first = clock.millis() * 1_000;
        this.next = first;
    }

    /// A listener. Called by one thread at a time; must not block. Unwanted events cost it nothing, however many there
    /// are.
    public interface Listener extends Consumer<SequencedEvent> {
        /// Called with the number of events that were overwritten before they could be delivered.
        default void missed(long count) {}
    }

    /// The registration of a listener, which [#close] ends. Closing twice has no further effect.
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    /// Publishes an event.
    public void tell(Event event) {
        List<Ear> asked = ears;
        List<Ear> wanting = wanting(asked, event);
        long now = clock.millis();
        synchronized (ring) {
            ring[(int) (next % HELD)] = new SequencedEvent(next, now, event);
            // A listener that was added meanwhile was not asked, and may want the event.
            for (Ear ear : asked.equals(ears) ? wanting : ears) {
                ear.owed = ear.owed == NOTHING ? next : ear.owed;
                rung = true;
            }
            next++;
            if (!rung || telling) {
                return;
            }
            telling = true;
        }
        start();
    }

    /// Most events have no listener, and then this allocates nothing.
    private static List<Ear> wanting(List<Ear> asked, Event event) {
        List<Ear> wanting = List.of();
        for (Ear ear : asked) {
            if (ear.wanted.test(event)) {
                wanting = wanting.isEmpty() ? new ArrayList<>() : wanting;
                wanting.add(ear);
            }
        }
        return wanting;
    }

    /// Registers a listener for later events.
    public Listening listen(Predicate<Event> wanted, Listener listener) {
        return add(new Ear(wanted, listener), Long.MAX_VALUE);
    }

    /// Registers a listener that first receives the events after this number, as far as they are among the last
    /// thousand, then later ones. An unknown number stands for the beginning.
    public Listening listenAfter(long number, Predicate<Event> wanted, Listener listener) {
        return add(new Ear(wanted, listener), number);
    }

    private Listening add(Ear ear, long after) {
        boolean starts;
        synchronized (ring) {
            long oldest = Math.max(first, next - REPLAYED);
            boolean isKnown = after >= oldest - 1 && after < next;
            long begin = after == Long.MAX_VALUE ? next : isKnown ? after + 1 : oldest;
            ear.owed = begin < next ? begin : NOTHING;
            ears = Stream.concat(ears.stream(), Stream.of(ear)).toList();
            rung |= ear.owed != NOTHING;
            starts = rung && !telling;
            telling |= starts;
        }
        if (starts) {
            start();
        }
        return () -> remove(ear);
    }

    private void remove(Ear ear) {
        synchronized (ring) {
            ears = ears.stream().filter(each -> !each.equals(ear)).toList();
        }
    }

    private void start() {
        VirtualThreadStarter.start("fusebox-events", this::tellAll, this::stopped);
    }

    /// The next event starts it again.
    private void stopped() {
        synchronized (ring) {
            telling = false;
        }
    }

    private void tellAll() {
        while (goesOn()) {
            ears.forEach(this::tellAll);
        }
    }

    private void tellAll(Ear ear) {
        for (List<SequencedEvent> batch = batch(ear); !batch.isEmpty(); batch = batch(ear)) {
            batch.forEach(event -> tellOne(ear, event));
        }
    }

    private boolean goesOn() {
        synchronized (ring) {
            telling = rung;
            rung = false;
            return telling;
        }
    }

    private static void tellOne(Ear ear, SequencedEvent event) {
        tellSafely(() -> {
            if (ear.wanted.test(event.event())) {
                ear.listener.accept(event);
            }
        });
    }

    /// A failing listener misses this event only, and does not affect other listeners.
    private static void tellSafely(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error faulty) {
            LOG.log(Level.WARNING, "an event listener failed: " + faulty);
        }
    }

    private List<SequencedEvent> batch(Ear ear) {
        List<SequencedEvent> batch = new ArrayList<>();
        long missed;
        synchronized (ring) {
            if (ear.owed == NOTHING) {
                return batch;
            }
            long at = Math.max(ear.owed, next - HELD);
            missed = at - ear.owed;
            for (; at < next && batch.size() < BATCH; at++) {
                batch.add(ring[(int) (at % HELD)]);
            }
            ear.owed = at < next ? at : NOTHING;
        }
        if (missed > 0) {
            long count = missed;
            tellSafely(() -> ear.listener.missed(count));
        }
        return batch;
    }

    /// A registered listener, and the number of the next event to deliver, which the monitor of the ring guards.
    private static final class Ear {
        private final Predicate<Event> wanted;
        private final Listener listener;
        private long owed = NOTHING;

        Ear(Predicate<Event> wanted, Listener listener) {
            this.wanted = wanted;
            this.listener = listener;
        }
    }
}
