package dev.fusebox.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/// The result of one benchmark in one round: medians of its iterations, and the best iteration. Immutable.
///
/// @param elapsed nanoseconds from the beginning of an operation to its end
/// @param processor nanoseconds of processor time for an operation
/// @param least the processor time in the best iteration: what disturbs a measurement only ever adds to it
/// @param bytes allocated by an operation
record Figure(double elapsed, double processor, double least, double bytes) {
    private static final String BYTES = "gc.alloc.rate.norm";

    static Figure of(RunResult result) {
        List<IterationResult> iterations = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .toList();
        return new Figure(
                median(iterations, each -> each.getPrimaryResult().getScore()),
                median(iterations, each -> secondary(each, ProcessorTime.LABEL)),
                iterations.stream()
                        .mapToDouble(each -> secondary(each, ProcessorTime.LABEL))
                        .min()
                        .orElseThrow(),
                median(iterations, each -> secondary(each, BYTES)));
    }

    /// The median of each part by itself.
    static Figure ofRounds(Collection<Figure> rounds) {
        return new Figure(
                median(rounds, Figure::elapsed),
                median(rounds, Figure::processor),
                median(rounds, Figure::least),
                median(rounds, Figure::bytes));
    }

    /// The time that is compared. One thread by itself: processor time, which other programs do not change.
    /// Several threads on one breaker: elapsed time, because they may park while they wait for each other.
    double compared(int threads) {
        return threads == 1 ? processor : elapsed;
    }

    static <T> double median(Collection<T> all, ToDoubleFunction<T> part) {
        double[] sorted = all.stream().mapToDouble(part).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double secondary(IterationResult iteration, String label) {
        return Objects.requireNonNull(iteration.getSecondaryResults().get(label), label)
                .getScore();
    }
}
