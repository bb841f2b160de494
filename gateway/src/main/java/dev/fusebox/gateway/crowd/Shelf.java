package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Fault;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one server offers, kept up to date: read when somebody first wants to know, and again when the server says that
/// it has changed or has a new connection. One reading at a time, one a second at most; the last good one stays when
/// another fails. Thread-safe; nothing blocks.
///
/// ```
/// new --want--> reading --read--> known --changed--> reading ...
///                 '--failed--> as before; the next want, or the next answered call, reads again
/// ```
final class Shelf {
    private static final Duration REST = Duration.ofSeconds(1);

    private final World world;
    private final Supplier<Lister.Listed> read;
    private final Runnable changed;
    private volatile Offer offer = Offer.NOTHING;
    private volatile @Nullable Fault failure;
    private volatile boolean known;
    private volatile boolean behind;
    private @Nullable Reading reading;
    private boolean again;
    private long readAt;

    /// A reading that is under way.
    ///
    /// @param begunAt by the monotonic clock
    record Reading(Arrival<Boolean> done, long begunAt) {}

    /// @param read blocks for as long as the server takes
    /// @param changed is told after every reading that brought something else; must not block
    Shelf(World world, Supplier<Lister.Listed> read, Runnable changed) {
        this.world = world;
        this.read = read;
        this.changed = changed;
    }

    /// What the server offers, as far as it is known.
    Offer offer() {
        return offer;
    }

    /// Whether it has ever been read.
    boolean isKnown() {
        return known;
    }

    /// Why the last reading failed; null if it did not.
    @Nullable
    Fault failure() {
        return failure;
    }

    /// Somebody wants to know what the server offers. The reading that this needs; null if none is needed.
    synchronized @Nullable Reading want() {
        return known ? null : begun();
    }

    /// The server works: what could not be read while it did not is read now.
    void catchUp() {
        if (behind) {
            behind = false;
            stale();
        }
    }

    /// The server offers something else than before, perhaps.
    synchronized void stale() {
        if (reading == null && known) {
            begun();
        } else {
            again = known;
        }
    }

    private Reading begun() {
        Reading under = reading;
        if (under == null) {
            under = new Reading(new Arrival<>(), world.ticker().nanos());
            reading = under;
            Thread.ofVirtual().name("fusebox-list").start(this::readAll);
        }
        return under;
    }

    private void readAll() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                rest();
                readOnce();
            } finally {
                goesOn = ended();
            }
        }
    }

    /// A server that changes all the time is read once a second.
    private void rest() {
        long since = world.ticker().nanos() - readAt;
        try {
            if (known && since < REST.toNanos()) {
                world.pause(REST.minusNanos(since));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        readAt = world.ticker().nanos();
    }

    private void readOnce() {
        switch (read.get()) {
            case Lister.Listed.Failed(Fault fault) -> {
                failure = fault;
                behind = known;
            }
            case Lister.Listed.All(Offer listed) -> {
                boolean isOther = !known || !listed.differences(offer).isEmpty();
                offer = listed;
                failure = null;
                if (isOther) {
                    changed.run();
                }
                // Last: whoever sees that it is known finds all of it.
                known = true;
            }
        }
    }

    /// Whether something has changed meanwhile.
    private boolean ended() {
        Reading done;
        synchronized (this) {
            done = reading;
            if (again) {
                again = false;
                return true;
            }
            reading = null;
        }
        if (done != null) {
            done.done().bring(known);
        }
        return false;
    }
}
