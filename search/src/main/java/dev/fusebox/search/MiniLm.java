package dev.fusebox.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The sentence model all-MiniLM-L6-v2, with weights of one byte, in plain Java: six layers of attention over the
/// pieces of a text, then the mean of the outputs. Immutable, thread-safe; [#embed] takes milliseconds of the
/// caller's thread.
///
/// The inner loops run over consecutive bytes, which C2 turns into vector instructions and C1 does not.
public final class MiniLm implements Embedder {
    static final String NAME = "all-minilm-l6-v2-q";
    static final int WIDTH = 384;
    private static final int LAYERS = 6;
    private static final int HEADS = 12;
    private static final int HEAD = WIDTH / HEADS;
    private static final String MODEL = NAME + ".onnx";
    private static final String TOKENIZER = NAME + "-tokenizer.json";

    private final WordPieceTokenizer pieces;
    private final byte[] words;
    private final float wordScale;
    private final byte[] places;
    private final float placeScale;
    private final float[] type;
    private final LayerNorm layerNorm;
    private final List<Layer> layers = new ArrayList<>();

    private record Layer(
            DenseLayer query,
            DenseLayer key,
            DenseLayer value,
            DenseLayer mixed,
            LayerNorm mixedLayerNorm,
            DenseLayer in,
            DenseLayer out,
            LayerNorm layerNorm) {}

    private MiniLm(WordPieceTokenizer pieces, ModelWeights weights) {
        this.pieces = pieces;
        this.words = weights.bytes("embeddings.word_embeddings.weight_quantized");
        this.wordScale = weights.floats("embeddings.word_embeddings.weight_scale")[0];
        this.places = weights.bytes("embeddings.position_embeddings.weight_quantized");
        this.placeScale = weights.floats("embeddings.position_embeddings.weight_scale")[0];
        this.type = new float[WIDTH];
        byte[] types = weights.bytes("embeddings.token_type_embeddings.weight_quantized");
        float typeScale = weights.floats("embeddings.token_type_embeddings.weight_scale")[0];
        for (int i = 0; i < WIDTH; i++) {
            type[i] = unsigned(types[i]) * typeScale;
        }
        this.layerNorm = LayerNorm.of(weights, "embeddings.LayerNorm");
        String[] matrices = weights.matrices();
        for (int layer = 0; layer < LAYERS; layer++) {
            layers.add(layer(weights, "encoder.layer." + layer, matrices, layer * 6));
        }
    }

    private static Layer layer(ModelWeights weights, String name, String[] matrices, int first) {
        return new Layer(
                DenseLayer.of(weights, matrices[first], name + ".attention.self.query"),
                DenseLayer.of(weights, matrices[first + 1], name + ".attention.self.key"),
                DenseLayer.of(weights, matrices[first + 2], name + ".attention.self.value"),
                DenseLayer.of(weights, matrices[first + 3], name + ".attention.output.dense"),
                LayerNorm.of(weights, name + ".attention.output.LayerNorm"),
                DenseLayer.of(weights, matrices[first + 4], name + ".intermediate.dense"),
                DenseLayer.of(weights, matrices[first + 5], name + ".output.dense"),
                LayerNorm.of(weights, name + ".output.LayerNorm"));
    }

    /// Loads the model, which takes a tenth of a second and 30 MB; empty if the application was built without it.
    public static Optional<MiniLm> load() throws IOException {
        try (InputStream model = MiniLm.class.getResourceAsStream(MODEL);
                InputStream tokenizer = MiniLm.class.getResourceAsStream(TOKENIZER)) {
            if (model == null || tokenizer == null) {
                return Optional.empty();
            }
            WordPieceTokenizer pieces =
                    WordPieceTokenizer.of(new String(tokenizer.readAllBytes(), StandardCharsets.UTF_8));
            return Optional.of(new MiniLm(pieces, new ModelWeights(model.readAllBytes())));
        }
    }

    /// Bytes of embeddings have an offset of 128.
    private static int unsigned(byte value) {
        return (value & 0xff) - 128;
    }

    @Override
    public float[] embed(String text) {
        int[] ids = pieces.numbers(text);
        float[][] states = new float[ids.length][];
        for (int at = 0; at < ids.length; at++) {
            states[at] = layerNorm.of(beginning(ids[at], at));
        }
        for (Layer layer : layers) {
            states = through(layer, states);
        }
        return mean(states);
    }

    private float[] beginning(int id, int place) {
        float[] state = type.clone();
        for (int i = 0; i < WIDTH; i++) {
            state[i] += unsigned(words[id * WIDTH + i]) * wordScale + unsigned(places[place * WIDTH + i]) * placeScale;
        }
        return state;
    }

    private static float[][] through(Layer layer, float[][] states) {
        float[][] mixed = attention(layer.query.of(states), layer.key.of(states), layer.value.of(states));
        float[][] attended = layer.mixedLayerNorm.sum(layer.mixed.of(mixed), states);
        float[][] inner = layer.in.of(attended);
        for (float[] row : inner) {
            Gelu.on(row);
        }
        return layer.layerNorm.sum(layer.out.of(inner), attended);
    }

    private static float[][] attention(float[][] queries, float[][] keys, float[][] values) {
        float[][] mixed = new float[queries.length][WIDTH];
        float[] shares = new float[queries.length];
        for (int head = 0; head < HEADS; head++) {
            for (int at = 0; at < queries.length; at++) {
                shares(queries[at], keys, head * HEAD, shares);
                mix(mixed[at], shares, values, head * HEAD);
            }
        }
        return mixed;
    }

    private static void mix(float[] mixed, float[] shares, float[][] values, int from) {
        for (int other = 0; other < values.length; other++) {
            for (int i = from; i < from + HEAD; i++) {
                mixed[i] += shares[other] * values[other][i];
            }
        }
    }

    /// The attention of this piece to each piece: the softmax of the products.
    private static void shares(float[] query, float[][] keys, int from, float[] shares) {
        float most = Float.NEGATIVE_INFINITY;
        for (int other = 0; other < keys.length; other++) {
            float product = 0;
            for (int i = from; i < from + HEAD; i++) {
                product += query[i] * keys[other][i];
            }
            shares[other] = product / (float) Math.sqrt(HEAD);
            most = Math.max(most, shares[other]);
        }
        float sum = 0;
        for (int other = 0; other < keys.length; other++) {
            shares[other] = (float) Math.exp(shares[other] - most);
            sum += shares[other];
        }
        for (int other = 0; other < keys.length; other++) {
            shares[other] /= sum;
        }
    }

    private static float[] mean(float[][] states) {
        float[] mean = new float[WIDTH];
        for (float[] state : states) {
            for (int i = 0; i < WIDTH; i++) {
                mean[i] += state[i];
            }
        }
        return VectorStore.ofLengthOne(mean);
    }
}
