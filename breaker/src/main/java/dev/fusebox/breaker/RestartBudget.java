package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Tells a crash from a crash loop: so many crashes within a window are too many. Thread-safe; nothing blocks. Keeps the
 * crashes of the window with their causes, never more than would exhaust it.
 */
public final class RestartBudget {
    private final int maxCrashes;
    private final long windowNanos;
    private final Surroundings surroundings;
    private final Deque<Noted> crashes = new ArrayDeque<>();

    /** One crash, as a status page shows it. */
    public record Crash(Instant at, String cause) {}

    private record Noted(long nanos, Crash crash) {}

    /**
     * @param maxCrashes the crash that makes so many exhausts the budget; 0 if none ever shall
     * @param window a crash counts for this long
     */
    public RestartBudget(int maxCrashes, Duration window, Surroundings surroundings) {
        Rule.countOrNone("maxCrashes", maxCrashes, 1_000);
        Rule.time("crashWindow", window);
        this.maxCrashes = maxCrashes;
        this.windowNanos = window.toNanos();
        this.surroundings = surroundings;
    }

    /** Notes a crash; false if it is one too many, and nothing should be restarted. */
    public synchronized boolean crashed(String cause) {
        if (maxCrashes == 0) {
            return true;
        }
        long now = forgetOld();
        if (crashes.size() == maxCrashes) {
            crashes.removeFirst();
        }
        crashes.addLast(new Noted(now, new Crash(surroundings.wall().instant(), cause)));
        return crashes.size() < maxCrashes;
    }

    /** The crashes that still count, oldest first. */
    public synchronized List<Crash> crashes() {
        forgetOld();
        return crashes.stream().map(Noted::crash).toList();
    }

    /** Forgets every crash: an operator restarted, or the configuration changed. */
    public synchronized void clear() {
        crashes.clear();
    }

    private long forgetOld() {
        long now = surroundings.ticker().nanos();
        while (!crashes.isEmpty() && now - crashes.getFirst().nanos() >= windowNanos) {
            crashes.removeFirst();
        }
        return now;
    }
}
