package dev.fusebox.search.model;

/// The feed-forward block of an encoder layer: a dense layer to four times the width, GELU, and a dense layer
/// back. Immutable.
final class FeedForward {
    /// So much of the wide rows is computed at a time: wide enough for a fast loop, and the sums stay in a cache.
    private static final int PART = 2 * DenseLayer.WIDTH;

    private static final int PARTS = 2;

    private final DenseLayer[] in = new DenseLayer[PARTS];
    private final DenseLayer[] out = new DenseLayer[PARTS];

    FeedForward(DenseLayer in, DenseLayer out) {
        for (int part = 0; part < PARTS; part++) {
            this.in[part] = in.columns(part * PART, (part + 1) * PART);
            this.out[part] = out.rows(part * PART, (part + 1) * PART);
        }
    }

    /// Computes the output for each row.
    void apply(Workspace workspace, float[][] inputs, float[][] outputs, int count) {
        float[][] inner = workspace.wide();
        out[0].clear(outputs, count);
        for (int part = 0; part < PARTS; part++) {
            in[part].apply(workspace, inputs, inner, count);
            for (int row = 0; row < count; row++) {
                Gelu.on(inner[row], PART);
            }
            out[part].addProduct(workspace, inner, outputs, count);
        }
        out[0].scale(outputs, count);
    }
}
