package dev.fusebox.search.model;

/// The input of the encoder: for each token the sum of the vectors of its number, its position and its type,
/// normalized. Immutable, thread-safe.
final class TokenEmbeddings {
    private static final int WIDTH = DenseLayer.WIDTH;
    private static final String NAME = "embeddings.";

    private final byte[] words;
    private final float wordScale;
    private final byte[] positions;
    private final float positionScale;
    private final float[] type;
    private final LayerNorm layerNorm;

    TokenEmbeddings(ModelWeights weights) {
        this.words = weights.bytes(NAME + "word_embeddings.weight_quantized");
        this.wordScale = weights.floats(NAME + "word_embeddings.weight_scale")[0];
        this.positions = weights.bytes(NAME + "position_embeddings.weight_quantized");
        this.positionScale = weights.floats(NAME + "position_embeddings.weight_scale")[0];
        this.type = new float[WIDTH];
        byte[] types = weights.bytes(NAME + "token_type_embeddings.weight_quantized");
        float typeScale = weights.floats(NAME + "token_type_embeddings.weight_scale")[0];
        for (int i = 0; i < WIDTH; i++) {
            type[i] = unsigned(types[i]) * typeScale;
        }
        this.layerNorm = LayerNorm.of(weights, NAME + "LayerNorm");
    }

    /// Bytes of embeddings have an offset of 128.
    private static int unsigned(byte value) {
        return (value & 0xff) - 128;
    }

    /// @param state becomes the vector of the token
    void read(int token, int position, float[] state) {
        for (int i = 0; i < WIDTH; i++) {
            state[i] = type[i]
                    + unsigned(words[token * WIDTH + i]) * wordScale
                    + unsigned(positions[position * WIDTH + i]) * positionScale;
        }
        layerNorm.on(state);
    }
}
