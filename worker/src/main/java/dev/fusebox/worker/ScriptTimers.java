package dev.fusebox.worker;

import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// The pending sleeps of a script. For one thread; never blocks.
final class ScriptTimers {
    /// More than any script needs, and few enough to cost little.
    private static final int MOST = 10_000;

    private static final double LONGEST_MS = 1e9;

    private final Ticker ticker;
    private final PriorityQueue<Sleeper> sleeping = new PriorityQueue<>();

    ScriptTimers(Ticker ticker) {
        this.ticker = ticker;
    }

    private record Sleeper(long until, int id) implements Comparable<Sleeper> {
        @Override
        public int compareTo(Sleeper other) {
            int byTime = Long.signum(until - other.until);
            return byTime == 0 ? Integer.compare(id, other.id) : byTime;
        }
    }

    /// Empty, or the reason why the sleep is not allowed.
    String add(int id, double ms) {
        if (sleeping.size() >= MOST) {
            return "more than " + MOST + " pending sleeps";
        }
        long nanos = (long) (Math.clamp(ms, 0, LONGEST_MS) * 1e6);
        sleeping.add(new Sleeper(ticker.nanos() + nanos, id));
        return "";
    }

    /// The time until the next sleep is due; null if there is none.
    @Nullable
    Duration untilNext() {
        Sleeper next = sleeping.peek();
        return next == null ? null : Duration.ofNanos(Math.max(0, next.until() - ticker.nanos()));
    }

    /// A sleep that is due; null if there is none.
    @Nullable
    Integer nextDue() {
        Sleeper next = sleeping.peek();
        if (next == null || next.until() - ticker.nanos() > 0) {
            return null;
        }
        sleeping.remove();
        return next.id();
    }
}
