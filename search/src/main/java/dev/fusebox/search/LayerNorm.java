package dev.fusebox.search;

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

    /// Changes the array itself.
    float[] of(float[] values) {
        float mean = 0;
        for (float value : values) {
            mean += value;
        }
        mean /= values.length;
        float variance = 0;
        for (float value : values) {
            variance += (value - mean) * (value - mean);
        }
        float factor = (float) (1 / Math.sqrt(variance / values.length + LEAST));
        for (int i = 0; i < values.length; i++) {
            values[i] = (values[i] - mean) * factor * weight[i] + bias[i];
        }
        return values;
    }

    /// Normalizes the sums of two; changes the first.
    float[][] sum(float[][] some, float[][] others) {
        for (int at = 0; at < some.length; at++) {
            for (int i = 0; i < some[at].length; i++) {
                some[at][i] += others[at][i];
            }
            of(some[at]);
        }
        return some;
    }
}
