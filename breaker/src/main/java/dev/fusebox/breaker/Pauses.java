package dev.fusebox.breaker;

/** The pauses of the clock of one call. Thread-safe. */
final class Pauses {
    private long total;
    private long begun;
    private long limit;
    private boolean paused;

    /** False if the clock is already paused. A pause beyond its limit has ended, and another may begin. */
    synchronized boolean begin(long now, long atMostNanos) {
        if (paused && now - begun < limit) {
            return false;
        }
        total = total(now);
        paused = true;
        begun = now;
        limit = atMostNanos;
        return true;
    }

    /** False if the clock is already running. */
    synchronized boolean end(long now) {
        if (!paused) {
            return false;
        }
        total = total(now);
        paused = false;
        return true;
    }

    synchronized boolean isPaused() {
        return paused;
    }

    synchronized long total(long now) {
        return paused ? total + Math.min(now - begun, limit) : total;
    }
}
