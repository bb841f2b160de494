package dev.fusebox.search;

/// The GELU activation between two matrices, x times the share of a normal distribution below x, from a table:
/// computing the function would take longer than the matrices. Stateless, thread-safe.
final class Gelu {
    private static final int EDGE = 6;
    private static final int STEPS = 512;
    private static final float[] TABLE = table();

    private Gelu() {}

    private static float[] table() {
        float[] table = new float[2 * EDGE * STEPS + 2];
        for (int i = 0; i < table.length; i++) {
            double x = (double) i / STEPS - EDGE;
            table[i] = (float) (x * share(x));
        }
        return table;
    }

    /// Abramowitz and Stegun, 7.1.26: the error is less than 2e-7.
    private static double share(double x) {
        double z = Math.abs(x) / Math.sqrt(2);
        double t = 1 / (1 + 0.3275911 * z);
        double sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
        double tail = sum * Math.exp(-z * z) / 2;
        return x < 0 ? tail : 1 - tail;
    }

    /// Changes the array itself.
    static void on(float[] values) {
        for (int i = 0; i < values.length; i++) {
            float x = values[i];
            if (x <= -EDGE) {
                values[i] = 0;
            } else if (x < EDGE) {
                float place = (x + EDGE) * STEPS;
                int below = (int) place;
                float rest = place - below;
                values[i] = TABLE[below] + rest * (TABLE[below + 1] - TABLE[below]);
            }
        }
    }
}
