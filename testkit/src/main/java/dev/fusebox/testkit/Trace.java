package dev.fusebox.testkit;

import java.util.List;
import java.util.stream.Collectors;

/// The steps of a simulation. Immutable, thread-safe. Two runs of one seed have equal traces.
///
/// @param steps in the order in which they were taken
public record Trace(List<Step> steps) {
    public Trace {
        steps = List.copyOf(steps);
    }

    /// One step: a thread ran until it waited, or a timer's action ran.
    ///
    /// @param nanos simulated time since the start
    /// @param who name of the thread or number of the timer
    public record Step(long nanos, String who) {
        @Override
        public String toString() {
            return "%,d ns %s".formatted(nanos, who);
        }
    }

    /// A 64-bit hash to compare many runs without keeping them; depends only on the steps.
    public long hash() {
        long hash = 0xcbf29ce484222325L; // offset and prime of FNV-1a
        for (Step step : steps) {
            hash = (hash ^ step.nanos()) * 0x100000001b3L;
            hash = (hash ^ step.who().hashCode()) * 0x100000001b3L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /// The last steps, one per line.
    public String tail(int count) {
        return steps.stream()
                .skip(Math.max(0, steps.size() - count))
                .map(Step::toString)
                .collect(Collectors.joining("\n"));
    }
}
