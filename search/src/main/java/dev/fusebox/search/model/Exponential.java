package dev.fusebox.search.model;

/// The exponential function for numbers that are not positive, without branches, so that C2 turns a loop of it
/// into vector instructions. Stateless, thread-safe.
final class Exponential {
    /// Smaller numbers have the result of this one, less than 2e-14.
    private static final float LEAST = -32;

    private Exponential() {}

    /// The relative error is less than 1e-5, nearly all of it from rounding. The polynomial is the best one of
    /// degree 6 between -1 and 0; its result is raised to the 32nd power, which multiplies its rounding error by
    /// 32.
    static float of(float x) {
        float u = Math.max(x, LEAST) / -LEAST;
        float p = 0.00083491154f * u + 0.0076111048f;
        p = p * u + 0.041173376f;
        p = p * u + 0.16648838f;
        p = p * u + 0.49996853f;
        p = p * u + 0.99999785f;
        p = p * u + 1;
        p *= p;
        p *= p;
        p *= p;
        p *= p;
        return p * p;
    }
}
