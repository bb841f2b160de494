package dev.fusebox.search.model;

import dev.fusebox.search.model.Batch.Span;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A sentence model in plain Java, with weights of one byte: the encoder of BERT over the tokens of a text, then one
/// vector from its outputs. Immutable, thread-safe; [#embed] takes milliseconds of the caller's thread.
public final class SentenceModel implements Embedder {
    private static final String BASE = "all-minilm-l6-v2-q";

    /// The name of the model. Vectors of different models cannot be compared.
    public static final String NAME = BASE + ", tuned for tools 1";

    /// The length of its vectors.
    public static final int WIDTH = DenseLayer.WIDTH;

    /// Files of the bundled model; `pom.xml` unpacks the first two.
    static final String WEIGHTS = BASE + ".onnx";

    static final String TOKENIZER = BASE + "-tokenizer.json";

    private static final String ADAPTERS = "adapters.bin";

    /// Rows per batch: enough that the conversion of weights to floats takes little time for each, few enough that
    /// the inputs and sums of a matrix fit into a second-level cache. A longer text is a batch of its own.
    private static final int ROWS = 96;

    private static final int LAYERS = 6;

    private final WordPieceTokenizer tokenizer;
    private final TokenEmbeddings tokenEmbeddings;
    private final List<EncoderLayer> layers;

    private SentenceModel(WordPieceTokenizer tokenizer, ModelWeights weights) {
        this.tokenizer = tokenizer;
        this.tokenEmbeddings = new TokenEmbeddings(weights);
        this.layers = IntStream.range(0, LAYERS)
                .mapToObj(layer -> EncoderLayer.of(weights, layer))
                .toList();
    }

    /// Loads the bundled model with its adapters, which takes a few tenths of a second and 30 MB; empty if the
    /// application was built without it.
    public static Optional<SentenceModel> load() throws IOException {
        Optional<WordPieceTokenizer> tokenizer = WordPieceTokenizer.load();
        try (InputStream weights = SentenceModel.class.getResourceAsStream(WEIGHTS);
                InputStream adapters = SentenceModel.class.getResourceAsStream(ADAPTERS)) {
            if (weights == null || tokenizer.isEmpty() || adapters == null) {
                return Optional.empty();
            }
            Adapters tuning = Adapters.read(adapters.readAllBytes());
            return Optional.of(new SentenceModel(tokenizer.get(), tuning.tuned(ModelWeights.read(weights))));
        }
    }

    /// Reads a model without adapters.
    static SentenceModel read(InputStream weights, InputStream tokenizer) throws IOException {
        return new SentenceModel(WordPieceTokenizer.of(tokenizer.readAllBytes()), ModelWeights.read(weights));
    }

    @Override
    public float[] embed(String text) {
        return embedAll(List.of(text)).getFirst();
    }

    /// The same vectors as one by one, in less time for each.
    @Override
    public List<float[]> embedAll(List<String> texts) {
        List<int[]> tokens = texts.stream().map(tokenizer::numbers).toList();
        List<Integer> byLength = IntStream.range(0, texts.size())
                .boxed()
                .sorted(Comparator.comparingInt(text -> tokens.get(text).length))
                .toList();
        int rows = tokens.stream().mapToInt(text -> text.length).sum();
        Workspace workspace = new Workspace(Math.min(rows, Math.max(ROWS, WordPieceTokenizer.MOST)));
        float[][] vectors = new float[texts.size()][];
        for (int from = 0; from < byLength.size(); ) {
            int to = end(byLength, from, tokens);
            List<Integer> some = byLength.subList(from, to);
            float[][] found = vectors(some.stream().map(tokens::get).toList(), workspace);
            for (int i = 0; i < some.size(); i++) {
                vectors[some.get(i)] = found[i];
            }
            from = to;
        }
        return List.of(vectors);
    }

    /// The end of the batch: as many texts as fit, and at least one.
    private static int end(List<Integer> order, int from, List<int[]> tokens) {
        int rows = tokens.get(order.get(from)).length;
        int to = from + 1;
        while (to < order.size() && rows + tokens.get(order.get(to)).length <= ROWS) {
            rows += tokens.get(order.get(to++)).length;
        }
        return to;
    }

    private float[][] vectors(List<int[]> texts, Workspace workspace) {
        Batch batch = Batch.of(texts);
        float[][] states = workspace.states();
        read(texts, states);
        for (EncoderLayer layer : layers) {
            layer.apply(workspace, batch);
        }
        return batch.spans().stream().map(span -> mean(states, span)).toArray(float[][]::new);
    }

    private void read(List<int[]> texts, float[][] states) {
        int row = 0;
        for (int[] tokens : texts) {
            for (int position = 0; position < tokens.length; position++) {
                tokenEmbeddings.read(tokens[position], position, states[row++]);
            }
        }
    }

    private static float[] mean(float[][] states, Span span) {
        float[] mean = new float[WIDTH];
        for (int row = span.from(); row < span.from() + span.count(); row++) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += states[row][i];
            }
        }
        return UnitVector.of(mean);
    }
}
