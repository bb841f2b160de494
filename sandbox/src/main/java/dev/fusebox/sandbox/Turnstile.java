package dev.fusebox.sandbox;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Patience;
import dev.fusebox.world.World;
import java.util.ArrayDeque;
import java.util.Deque;

/// Lets so many scripts run at once; the others wait in their order. Thread-safe; [#enter] blocks for as long as the
/// patience lasts.
final class Turnstile {
    /// Whoever is behind so many waits for minutes: better to say so at once.
    private static final int MOST_WAITING = 100;

    private final World world;
    private final int places;
    private final Deque<Arrival<Boolean>> waiting = new ArrayDeque<>();
    private int taken;

    Turnstile(World world, int places) {
        this.world = world;
        this.places = places;
    }

    /// False if it is not this one's turn in time. Whoever gets true calls [#leave].
    boolean enter(Patience patience) throws InterruptedException {
        Arrival<Boolean> turn = new Arrival<>();
        synchronized (this) {
            if (taken < places) {
                taken++;
                return true;
            }
            if (waiting.size() >= MOST_WAITING) {
                return false;
            }
            waiting.add(turn);
        }
        boolean isOurs = false;
        try {
            isOurs = patience.await(turn, world) != null;
            return isOurs;
        } finally {
            if (!isOurs) {
                giveUp(turn);
            }
        }
    }

    /// A turn that came while its owner left goes to the next.
    private void giveUp(Arrival<Boolean> turn) {
        boolean hadCome;
        synchronized (this) {
            hadCome = !waiting.remove(turn);
        }
        if (hadCome) {
            leave();
        }
    }

    synchronized void leave() {
        Arrival<Boolean> next = waiting.poll();
        if (next == null) {
            taken--;
        } else {
            next.bring(true);
        }
    }
}
