package dev.fusebox.search.model;

import java.util.Arrays;

/// A dense layer: a matrix of bytes with a scale for each column, and a bias. Immutable.
final class DenseLayer {
    /// The number of inputs and outputs of most layers.
    static final int WIDTH = 384;

    /// In row-major order, a row for each input.
    private final byte[] weights;

    private final float[] scales;
    private final float[] bias;

    private DenseLayer(byte[] weights, float[] scales, float[] bias) {
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

    private int inputs() {
        return weights.length / bias.length;
    }

    /// The layer with the outputs of this one and then those of another, for the same input.
    DenseLayer beside(DenseLayer other) {
        int width = bias.length + other.bias.length;
        byte[] both = new byte[weights.length + other.weights.length];
        for (int row = 0; row < inputs(); row++) {
            System.arraycopy(weights, row * bias.length, both, row * width, bias.length);
            System.arraycopy(
                    other.weights, row * other.bias.length, both, row * width + bias.length, other.bias.length);
        }
        return new DenseLayer(both, joined(scales, other.scales), joined(bias, other.bias));
    }

    private static float[] joined(float[] first, float[] second) {
        float[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /// The layer with some of the outputs only.
    DenseLayer columns(int from, int to) {
        int width = to - from;
        byte[] some = new byte[inputs() * width];
        for (int row = 0; row < inputs(); row++) {
            System.arraycopy(weights, row * bias.length + from, some, row * width, width);
        }
        return new DenseLayer(some, Arrays.copyOfRange(scales, from, to), Arrays.copyOfRange(bias, from, to));
    }

    /// The layer for some of the inputs only.
    DenseLayer rows(int from, int to) {
        return new DenseLayer(Arrays.copyOfRange(weights, from * bias.length, to * bias.length), scales, bias);
    }

    /// Computes the outputs of all inputs.
    void apply(Workspace workspace, float[][] inputs, float[][] outputs, int count) {
        clear(outputs, count);
        addProduct(workspace, inputs, outputs, count);
        scale(outputs, count);
    }

    void clear(float[][] sums, int count) {
        for (int row = 0; row < count; row++) {
            Arrays.fill(sums[row], 0, bias.length, 0);
        }
    }

    /// Adds the product of inputs and matrix, without scales and bias. Some rows of the matrix at a time are
    /// converted to floats, once for all inputs.
    void addProduct(Workspace workspace, float[][] inputs, float[][] sums, int count) {
        MatrixProduct product = new MatrixProduct(inputs, sums, count, bias.length);
        float[][] factors = workspace.factors();
        for (int row = 0; row < inputs(); row += factors.length) {
            for (int i = 0; i < factors.length; i++) {
                widen((row + i) * bias.length, factors[i], bias.length);
            }
            product.add(row, factors);
        }
    }

    private void widen(int from, float[] into, int width) {
        for (int j = 0; j < width; j++) {
            into[j] = weights[from + j];
        }
    }

    /// Applies scales and bias to sums of products.
    void scale(float[][] sums, int count) {
        for (int row = 0; row < count; row++) {
            float[] sum = sums[row];
            for (int j = 0; j < bias.length; j++) {
                sum[j] = sum[j] * scales[j] + bias[j];
            }
        }
    }
}
