package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.stateless.Guest;
import dev.fusebox.gateway.stateless.Metadata;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients that stay, in the order in which they came. Thread-safe; nothing blocks.
final class Guests {
    private final Map<Long, Metadata> present = new ConcurrentSkipListMap<>();
    private final Queue<Runnable> awaited = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();

    /// One more, who has just said this of itself.
    void arrived(Metadata guest) {
        present.put(last.incrementAndGet(), guest);
        workOff();
    }

    void left(Guest guest) {
        present.values().removeIf(one -> guest.equals(one.guest()));
    }

    /// Has this done now, or as soon as the first one comes.
    void whenOneIsHere(Runnable work) {
        awaited.add(work);
        if (!present.isEmpty()) {
            workOff();
        }
    }

    private void workOff() {
        for (Runnable work = awaited.poll(); work != null; work = awaited.poll()) {
            work.run();
        }
    }

    /// Who has been there longest; null if nobody is there.
    @Nullable
    Metadata first() {
        return present.values().stream().findFirst().orElse(null);
    }
}
