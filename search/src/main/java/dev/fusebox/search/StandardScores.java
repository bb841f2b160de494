package dev.fusebox.search;

import java.util.BitSet;

/// Standard scores: how far a value is above the mean of all documents, in standard deviations. They make scores of
/// different kinds comparable: a word that every tool has says as little as a meaning that every tool has.
/// Stateless, thread-safe.
final class StandardScores {
    /// A few documents say little about mean and deviation; the usual ones count as so many more documents. This also
    /// makes scores of catalogs of any size comparable.
    private static final int PRIOR_COUNT = 300;

    private StandardScores() {}

    /// What mean and deviation usually are for a kind of score.
    record Prior(double mean, double deviation) {}

    static double[] of(float[] values, BitSet counted, Prior prior) {
        double[] exact = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            exact[i] = values[i];
        }
        return of(exact, counted, prior);
    }

    /// @param counted the documents that mean and deviation are computed from
    static double[] of(double[] values, BitSet counted, Prior prior) {
        int count = PRIOR_COUNT + counted.cardinality();
        double sum = PRIOR_COUNT * prior.mean();
        for (int i = counted.nextSetBit(0); i >= 0; i = counted.nextSetBit(i + 1)) {
            sum += values[i];
        }
        double mean = sum / count;
        double squares = PRIOR_COUNT * prior.deviation() * prior.deviation();
        for (int i = counted.nextSetBit(0); i >= 0; i = counted.nextSetBit(i + 1)) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        double deviation = Math.sqrt(squares / count);
        double[] standard = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            standard[i] = (values[i] - mean) / deviation;
        }
        return standard;
    }

    /// Adds scores of one kind to a sum of several.
    ///
    /// @param most higher scores count as this
    static void add(double[] scores, double most, double weight, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += weight * Math.min(most, scores[i]);
        }
    }
}
