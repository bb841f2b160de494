package dev.fusebox.conventions;

import java.util.stream.IntStream;

/// The distribution of a measure: half of the values are at most p50, nine tenths at most p90. Immutable.
record Figures(int count, int p50, int p90, int max) {
    static Figures of(IntStream values) {
        int[] sorted = values.sorted().toArray();
        return new Figures(sorted.length, percentile(sorted, 50), percentile(sorted, 90), percentile(sorted, 100));
    }

    private static int percentile(int[] sorted, int percent) {
        int rank = (sorted.length * percent + 99) / 100;
        return sorted.length == 0 ? 0 : sorted[Math.max(rank, 1) - 1];
    }

    @Override
    public String toString() {
        return "%d, p50 %d, p90 %d, max %d lines".formatted(count, p50, p90, max);
    }
}
