package dev.fusebox.search.model;

/// Layer normalization: scales a vector to mean 0 and variance 1, then applies weight and bias. Immutable.
final class LayerNorm {
    private static final float LEAST = 1e-12f;

    private final float[] weight;
    private final float[] bias;

    private LayerNorm(float[] weight, float[] bias) {
        this.weight = weight;
        this.bias = bias;
    }

    static LayerNorm of(ModelWeights weights, String name) {
        return new LayerNorm(weights.floats(name + ".weight"), weights.floats(name + ".bias"));
    }

    /// Changes the numbers at the beginning of the array.
    void on(float[] values) {
        float mean = sum(values) / weight.length;
        float factor = (float) (1 / Math.sqrt(squares(values, mean) / weight.length + LEAST));
        for (int i = 0; i < weight.length; i++) {
            values[i] = (values[i] - mean) * factor * weight[i] + bias[i];
        }
    }

    /// Four sums side by side: the additions of one would wait for each other. The length is a multiple of four.
    private float sum(float[] values) {
        float first = 0;
        float second = 0;
        float third = 0;
        float fourth = 0;
        for (int i = 0; i < weight.length; i += 4) {
            first += values[i];
            second += values[i + 1];
            third += values[i + 2];
            fourth += values[i + 3];
        }
        return first + second + (third + fourth);
    }

    /// The sum of the squares of the differences from the mean.
    private float squares(float[] values, float mean) {
        float first = 0;
        float second = 0;
        float third = 0;
        float fourth = 0;
        for (int i = 0; i < weight.length; i += 4) {
            first += (values[i] - mean) * (values[i] - mean);
            second += (values[i + 1] - mean) * (values[i + 1] - mean);
            third += (values[i + 2] - mean) * (values[i + 2] - mean);
            fourth += (values[i + 3] - mean) * (values[i + 3] - mean);
        }
        return first + second + (third + fourth);
    }

    /// Normalizes the sums of two; changes the first.
    void onSums(float[][] some, float[][] others, int count) {
        for (int row = 0; row < count; row++) {
            add(some[row], others[row]);
            on(some[row]);
        }
    }

    private void add(float[] some, float[] others) {
        for (int i = 0; i < weight.length; i++) {
            some[i] += others[i];
        }
    }
}
