package dev.fusebox.search.training;

import org.jspecify.annotations.Nullable;

/// The optimizer Adam for a table of which each step changes few rows; only these are updated. For one thread.
final class SparseAdam {
    private static final float FIRST = 0.9f;
    private static final float SECOND = 0.999f;
    private static final float SMALLEST = 1e-8f;

    private final float[][] table;
    private final float[][] initial;
    private final float decay;
    private final float[] @Nullable [] means;
    private final float[] @Nullable [] squares;
    private int step;

    /// @param table is changed by each step
    /// @param decay the share of the learning rate by which a row returns to its initial value
    SparseAdam(float[][] table, float[][] initial, float decay) {
        this.table = table;
        this.initial = initial;
        this.decay = decay;
        this.means = new float[table.length][];
        this.squares = new float[table.length][];
    }

    void beginStep() {
        step++;
    }

    void update(int row, float[] gradient, float learningRate) {
        float[] mean = means[row] == null ? new float[gradient.length] : means[row];
        float[] square = squares[row] == null ? new float[gradient.length] : squares[row];
        means[row] = mean;
        squares[row] = square;
        float rate = (float) (learningRate / (1 - StrictMath.pow(FIRST, step)));
        float correction = (float) (1 / (1 - StrictMath.pow(SECOND, step)));
        float[] values = table[row];
        for (int i = 0; i < values.length; i++) {
            mean[i] = FIRST * mean[i] + (1 - FIRST) * gradient[i];
            square[i] = SECOND * square[i] + (1 - SECOND) * gradient[i] * gradient[i];
            float deviation = (float) Math.sqrt(square[i] * correction);
            values[i] -= rate * mean[i] / (deviation + SMALLEST) + learningRate * decay * (values[i] - initial[row][i]);
        }
    }
}
