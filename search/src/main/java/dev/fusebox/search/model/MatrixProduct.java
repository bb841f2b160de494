package dev.fusebox.search.model;

/// Adds the products of rows and a matrix to sums, three rows and four matrix rows at a time. For one thread.
///
/// The inner loop runs over consecutive floats of arrays that share one index, and its twelve weights are in local
/// variables: C2 turns this into fused multiply-add instructions on vectors, with sixteen vector registers too.
/// Larger blocks need more registers than AVX2 has.
final class MatrixProduct {
    /// Rows per step; the number of rows is a multiple of it.
    private static final int ROWS = 3;

    /// Matrix rows per step; their number is a multiple of it.
    static final int FACTORS = 4;

    private static final boolean IS_FUSED = isFused();

    private final float[][] rows;
    private final float[][] sums;
    private final int count;
    private final int width;

    /// @param count the number of rows; the arrays have as many as [#padded] says
    /// @param width the number of sums of a row
    MatrixProduct(float[][] rows, float[][] sums, int count, int width) {
        this.rows = rows;
        this.sums = sums;
        this.count = count;
        this.width = width;
    }

    /// The number of rows with those that fill up the last step.
    static int padded(int rows) {
        return Math.ceilDiv(rows, ROWS) * ROWS;
    }

    /// Adds the products of some numbers of each row and as many matrix rows.
    ///
    /// @param column the place of the first of the numbers in each row
    /// @param factors the matrix rows, a multiple of four
    void add(int column, float[][] factors) {
        for (int row = 0; row < count; row += ROWS) {
            for (int first = 0; first < factors.length; first += FACTORS) {
                add(row, column + first, factors, first);
            }
        }
    }

    private void add(int row, int column, float[][] factors, int first) {
        float[] sum0 = sums[row];
        float[] sum1 = sums[row + 1];
        float[] sum2 = sums[row + 2];
        float[] row0 = rows[row];
        float[] row1 = rows[row + 1];
        float[] row2 = rows[row + 2];
        float w00 = row0[column];
        float w01 = row0[column + 1];
        float w02 = row0[column + 2];
        float w03 = row0[column + 3];
        float w10 = row1[column];
        float w11 = row1[column + 1];
        float w12 = row1[column + 2];
        float w13 = row1[column + 3];
        float w20 = row2[column];
        float w21 = row2[column + 1];
        float w22 = row2[column + 2];
        float w23 = row2[column + 3];
        float[] factors0 = factors[first];
        float[] factors1 = factors[first + 1];
        float[] factors2 = factors[first + 2];
        float[] factors3 = factors[first + 3];
        for (int j = 0; j < width; j++) {
            float f0 = factors0[j];
            float f1 = factors1[j];
            float f2 = factors2[j];
            float f3 = factors3[j];
            sum0[j] = plus(w03, f3, plus(w02, f2, plus(w01, f1, plus(w00, f0, sum0[j]))));
            sum1[j] = plus(w13, f3, plus(w12, f2, plus(w11, f1, plus(w10, f0, sum1[j]))));
            sum2[j] = plus(w23, f3, plus(w22, f2, plus(w21, f1, plus(w20, f0, sum2[j]))));
        }
    }

    private static float plus(float weight, float factor, float sum) {
        return IS_FUSED ? Math.fma(weight, factor, sum) : weight * factor + sum;
    }

    /// Whether the processor has the instruction for `Math.fma`. Without it, the method computes with
    /// `BigDecimal`, which takes a thousand times as long. The best of several attempts counts, because a thread
    /// may lose its processor during one.
    private static boolean isFused() {
        long best = Long.MAX_VALUE;
        float sum = 0;
        for (int attempt = 0; attempt < 8; attempt++) {
            long begin = System.nanoTime();
            for (int i = 0; i < 32; i++) {
                sum = Math.fma(0.7f, i + 0.3f, sum);
            }
            best = Math.min(best, System.nanoTime() - begin);
        }
        // An interpreted call takes 40 ns with the instruction; without it 40 us, and 500 ns after compilation.
        return sum > 0 && best < 32 * 200;
    }
}
