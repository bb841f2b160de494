package dev.fusebox.search.model;

/// One layer of the encoder: attention and a feed-forward block, each followed by a layer normalization of the sum
/// of input and output. Immutable, thread-safe.
///
/// @param attention the layer for queries, keys and values together
/// @param mixed the layer after the attention
record EncoderLayer(
        DenseLayer attention,
        DenseLayer mixed,
        LayerNorm mixedLayerNorm,
        FeedForward feedForward,
        LayerNorm layerNorm) {
    private static final int MATRICES = 6;

    static EncoderLayer of(ModelWeights weights, int layer) {
        String name = "encoder.layer." + layer;
        String[] matrices = weights.matrices();
        int first = layer * MATRICES;
        DenseLayer query = DenseLayer.of(weights, matrices[first], name + ".attention.self.query");
        DenseLayer key = DenseLayer.of(weights, matrices[first + 1], name + ".attention.self.key");
        DenseLayer value = DenseLayer.of(weights, matrices[first + 2], name + ".attention.self.value");
        return new EncoderLayer(
                query.beside(key).beside(value),
                DenseLayer.of(weights, matrices[first + 3], name + ".attention.output.dense"),
                LayerNorm.of(weights, name + ".attention.output.LayerNorm"),
                new FeedForward(
                        DenseLayer.of(weights, matrices[first + 4], name + ".intermediate.dense"),
                        DenseLayer.of(weights, matrices[first + 5], name + ".output.dense")),
                LayerNorm.of(weights, name + ".output.LayerNorm"));
    }

    /// Replaces the states of all tokens by the output.
    void apply(Workspace workspace, Batch batch) {
        float[][] wide = workspace.wide();
        attention.apply(workspace, workspace.states(), wide, batch.rows());
        new Attention(wide, workspace.mixed()).mix(batch);
        finish(workspace, batch.rows());
    }

    private void finish(Workspace workspace, int count) {
        float[][] states = workspace.states();
        float[][] attended = workspace.attended();
        mixed.apply(workspace, workspace.mixed(), attended, count);
        mixedLayerNorm.onSums(attended, states, count);
        feedForward.apply(workspace, attended, states, count);
        layerNorm.onSums(states, attended, count);
    }
}
