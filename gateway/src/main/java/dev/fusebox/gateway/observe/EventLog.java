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

/// All that happens, in one order, for the log, for streams of events and for traces. Thread-safe; nothing blocks.
///
/// Telling costs a caller one entry in a ring. Those who listen are told on a thread of its own, which there is
/// only while somebody wants to hear something; who is too slow for the ring misses what was overwritten, and is
/// told how much.
public final class EventLog {
    private static final System.Logger LOG = LazyLoggers.of(EventLog.class);

    /// More than a second's worth of state changes of a thousand servers.
    private static final int HELD = 8_192;

    /// So many of the last ones are told again to those who come back.
    static final int REPLAYED = 1_000;

    /// No event has this number.
    private static final long NOTHING = -1;

    /// Told in one go.
    private static final int BATCH = 256;

    private final InstantSource clock;
    private final long first;

    private final SequencedEvent[] ring = new SequencedEvent[HELD];
    private long next;
    private boolean telling;
    private boolean rung;
    private volatile List<Ear> ears = List.of();

    /// @param clock numbers begin with its time, so that they go on growing after a restart
    public EventLog(InstantSource clock) {
        this.clock = clock;
        this.first = clock.millis() * 1_000;
        this.next = first;
    }

    /// Whoever listens. Called by one thread at a time; must not block. Events that it does not want cost it
    /// nothing, however many there are.
    public interface Listener extends Consumer<SequencedEvent> {
        /// So many were overwritten before they could be told.
        default void missed(long count) {}
    }

    /// Listens no more when it is closed. Twice is the same as once.
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    /// Adds an event.
    public void tell(Event event) {
        List<Ear> asked = ears;
        List<Ear> wanting = wanting(asked, event);
        long now = clock.millis();
        synchronized (ring) {
            ring[(int) (next % HELD)] = new SequencedEvent(next, now, event);
            // Whoever has joined since was not asked, and may want it.
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

    /// Most events nobody listens for, and then this makes nothing.
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

    /// Hears what is wanted from now on.
    public Listening listen(Predicate<Event> wanted, Listener listener) {
        return add(new Ear(wanted, listener), Long.MAX_VALUE);
    }

    /// Hears first what came after the event of this number, as far as it is among the last thousand, then what
    /// comes. A number that was never given stands for the first.
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

    /// What comes next starts it again.
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

    /// What one who listens does wrong costs it this event, and neither the next one nor those who listen beside
    /// it.
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

    /// One who listens, and the number of the first event that it wants and has not heard, which the ring's
    /// monitor guards.
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
