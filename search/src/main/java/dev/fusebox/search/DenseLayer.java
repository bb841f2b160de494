package dev.fusebox.search;

/// A dense layer: a matrix of bytes with a scale for each column, and a bias. Immutable.
final class DenseLayer {
    /// Rows per step; the number of rows is a multiple of it.
    static final int AT_ONCE = 4;

    /// In row-major order.
    private final byte[] weights;

    private final float[] scales;
    private final float[] bias;

    DenseLayer(byte[] weights, float[] scales, float[] bias) {
        this.weights = weights;
        this.scales = scales;
        this.bias = bias;
    }

    static DenseLayer of(ModelWeights weights, String matrix, String bias) {
        return new DenseLayer(
                weights.bytes(matrix + "_quantized"),
                weights.floats(matrix + "_scale"),
                weights.floats(bias + ".bias"));
    }

    /// Four rows of the matrix at a time are converted to floats once for all pieces of the text.
    float[][] of(float[][] rows) {
        int width = bias.length;
        float[][] sums = new float[rows.length][width];
        float[][] factors = new float[AT_ONCE][width];
        for (int i = 0; i < rows[0].length; i += AT_ONCE) {
            for (int row = 0; row < AT_ONCE; row++) {
                widen((i + row) * width, factors[row]);
            }
            for (int at = 0; at < rows.length; at++) {
                add(sums[at], factors, rows[at], i);
            }
        }
        for (float[] sum : sums) {
            for (int j = 0; j < width; j++) {
                sum[j] = sum[j] * scales[j] + bias[j];
            }
        }
        return sums;
    }

    private void widen(int from, float[] into) {
        for (int j = 0; j < into.length; j++) {
            into[j] = weights[from + j];
        }
    }

    private static void add(float[] sums, float[][] factors, float[] row, int from) {
        float first = row[from];
        float second = row[from + 1];
        float third = row[from + 2];
        float fourth = row[from + 3];
        float[] ofFirst = factors[0];
        float[] ofSecond = factors[1];
        float[] ofThird = factors[2];
        float[] ofFourth = factors[3];
        for (int j = 0; j < sums.length; j++) {
            sums[j] += first * ofFirst[j] + second * ofSecond[j] + third * ofThird[j] + fourth * ofFourth[j];
        }
    }
}
