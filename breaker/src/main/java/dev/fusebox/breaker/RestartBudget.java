package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The limit of crashes within a window, which distinguishes a crash from a crash loop. Thread-safe; nothing blocks.
 * Keeps the crashes of the window with their causes, at most as many as exhaust the budget.
 */
public final class RestartBudget {
    private final int maxCrashes;
    private final long windowNanos;
    private final Surroundings surroundings;
    private final Deque<Noted> crashes = new ArrayDeque<>();

    /** One crash, for a status page. */
    public record Crash(Instant at, String cause) {}

    private record Noted(long nanos, Crash crash) {}

    /**
     * @param maxCrashes the number of crashes that exhausts the budget; 0 for no limit
     * @param window a crash counts for this long
     */
    public RestartBudget(int maxCrashes, Duration window, Surroundings surroundings) {
        Rule.countOrNone("maxCrashes", maxCrashes, 1_000);
        Rule.time("crashWindow", window);
        this.maxCrashes = maxCrashes;
        this.windowNanos = window.toNanos();
        this.surroundings = surroundings;
    }

    /** Records a crash; false if the budget is exhausted and nothing should be restarted. */
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

    /** Removes all crashes, after a restart by an operator or a change of the configuration. */
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
