package dev.fusebox.search.model;

/// Scaling of vectors to length 1. Stateless, thread-safe.
public final class UnitVector {
    private UnitVector() {}

    /// Changes the array itself, and returns it.
    public static float[] of(float[] vector) {
        double square = 0;
        for (float value : vector) {
            square += value * value;
        }
        float length = (float) Math.max(1e-12, Math.sqrt(square));
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= length;
        }
        return vector;
    }
}
