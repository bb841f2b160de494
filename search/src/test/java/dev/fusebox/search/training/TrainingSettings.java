package dev.fusebox.search.training;

/// The parameters of a training run. Immutable.
///
/// @param width the length of the vectors
/// @param batch questions per step, each with its tool
/// @param temperature divides the similarities of a batch before their softmax
/// @param learningRate of the first step after the warm-up; it falls to zero linearly
/// @param dropout the share of a question's pieces that a step omits
/// @param decay how fast vectors return to their initial values
record TrainingSettings(
        int width, int steps, int batch, float temperature, float learningRate, float dropout, float decay, long seed) {
    /// The settings of the bundled table; search/training/README.md has the alternatives that were measured.
    static TrainingSettings ofTheBundledTable() {
        return new TrainingSettings(256, 1_000, 512, 0.1f, 0.004f, 0.2f, 0, 1);
    }
}
