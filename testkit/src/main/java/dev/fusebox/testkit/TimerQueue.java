package dev.fusebox.testkit;

import java.time.Duration;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A queue of actions in the order of their due times, ties in the order of registration. Not thread-safe.
///
/// Due times are compared by their difference, so they may wrap around.
final class TimerQueue {
    /// 73 years. A quarter of the range, so that no difference between a due time and a clock can overflow.
    static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final TreeSet<Entry> entries = new TreeSet<>();
    private long registered;

    /// An action and its due time.
    record Entry(long due, long number, Runnable action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.signum(due - other.due);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Entry add(long now, long delayNanos, Runnable action) {
        var entry = new Entry(now + Math.clamp(delayNanos, 0, LONGEST_NANOS), ++registered, action);
        entries.add(entry);
        return entry;
    }

    Entry add(long now, Duration delay, Runnable action) {
        return add(now, delay.compareTo(LONGEST) > 0 ? LONGEST_NANOS : delay.toNanos(), action);
    }

    /// Returns false if it has already been taken or removed.
    boolean remove(Entry entry) {
        return entries.remove(entry);
    }

    /// The first entry, without removing it.
    @Nullable
    Entry first() {
        return entries.isEmpty() ? null : entries.first();
    }

    /// Removes and returns the first entry if it is due at that time.
    @Nullable
    Entry takeDue(long time) {
        Entry first = first();
        if (first == null || first.due - time > 0) {
            return null;
        }
        entries.remove(first);
        return first;
    }

    int size() {
        return entries.size();
    }
}
