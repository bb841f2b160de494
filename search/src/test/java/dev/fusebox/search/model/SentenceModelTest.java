package dev.fusebox.search.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the bundled model.
///
/// Takes over five seconds: a model of 23 MB is loaded, and runs before it is compiled.
@Timeout(120)
class SentenceModelTest {
    private static SentenceModel model;
    private static SentenceModel untuned;

    @BeforeAll
    static void load() throws IOException {
        model = SentenceModel.load().orElseThrow();
        untuned = UntunedModel.load();
    }

    private static float product(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }

    @Test
    void texts_with_the_same_meaning_are_similar_without_common_words() {
        float[] mail = model.embed("how do I send an e-mail to somebody");
        float[] tool = model.embed("send_email: deliver a message to a mailbox");
        float[] rain = model.embed("get the weather forecast");
        assertThat(product(mail, mail)).isBetween(0.999f, 1.001f);
        assertThat(product(mail, tool)).isGreaterThan(0.45f);
        assertThat(product(mail, rain)).isLessThan(0.25f);
        assertThat(model.embed("")).hasSize(DenseLayer.WIDTH);
        assertThat(model.embed("word ".repeat(10_000))).hasSize(DenseLayer.WIDTH);
        assertThat(model.embed("Ünïcödé 天气 🙂")).hasSize(DenseLayer.WIDTH);
    }

    /// The results of onnxruntime for these texts are in `oracle.tsv`, written by `oracle.py` beside it. It rounds
    /// the values between layers to bytes, which explains the remaining difference.
    @Test
    void embeddings_without_adapters_match_those_of_onnxruntime() throws IOException {
        Map<String, Float> likeness = new LinkedHashMap<>();
        for (String line : lines("oracle.tsv")) {
            String[] parts = line.split("\t", 2);
            likeness.put(parts[0], product(untuned.embed(parts[0]), vector(parts[1])));
        }
        assertThat(likeness).hasSize(9);
        assertThat(likeness.values())
                .as(likeness.toString())
                .allSatisfy(value -> assertThat(value).isGreaterThan(0.99f));
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(SentenceModelTest.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    private static float[] vector(String text) {
        String[] numbers = text.split(" ", -1);
        float[] vector = new float[numbers.length];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = Float.parseFloat(numbers[i]);
        }
        return vector;
    }

    /// More tokens than a batch has, a text longer than a batch, and different remainders of a step.
    @Test
    void texts_embedded_together_have_the_same_vectors_as_alone() {
        List<String> texts = List.of(
                "send a letter",
                "rain ".repeat(200),
                "",
                "Search for issues across repositories. Supports labels, authors and dates. ".repeat(4),
                "list_tools",
                "delete the row, don't drop the table; 100% sure!",
                "Get the current stock price based on stock symbol. ".repeat(3),
                "a b c d",
                "send a letter");
        List<float[]> together = model.embedAll(texts);
        assertThat(together).hasSameSizeAs(texts);
        for (int i = 0; i < texts.size(); i++) {
            assertThat(together.get(i)).as(texts.get(i)).containsExactly(model.embed(texts.get(i)));
        }
        assertThat(model.embedAll(List.of())).isEmpty();
    }

    @Test
    void damaged_model_is_rejected() throws IOException {
        byte[] whole;
        try (InputStream in = Objects.requireNonNull(SentenceModel.class.getResourceAsStream(SentenceModel.WEIGHTS))) {
            whole = in.readAllBytes();
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length / 2))).hasMessage("the model file is damaged");
        byte[] noise = new byte[1000];
        Arrays.fill(noise, (byte) 0x77);
        assertThatThrownBy(() -> read(noise)).hasMessage("the model file is damaged");
        assertThatThrownBy(() -> read(new byte[0])).hasMessageContaining("the model has no ");
    }

    private static SentenceModel read(byte[] weights) throws IOException {
        String tokenizer = "{\"model\":{\"vocab\":{\"a\":1}}}";
        return SentenceModel.read(
                new ByteArrayInputStream(weights), new ByteArrayInputStream(tokenizer.getBytes(UTF_8)));
    }

    private static WordPieceTokenizer tokenizer(String json) {
        return WordPieceTokenizer.of(json.getBytes(UTF_8));
    }

    @Test
    void text_is_split_into_the_pieces_of_the_model() {
        WordPieceTokenizer pieces = tokenizer("{\"model\":{\"vocab\":{\"[UNK]\":100,\"send\":1,\"##ing\":2,"
                + "\"\\\"\":3,\"\\u00e9\":4,\"e\":5,\"!\":6}}}");
        assertThat(pieces.numbers("Sending! \" é qq")).containsExactly(101, 1, 2, 6, 3, 5, 100, 102);
        assertThat(pieces.numbers("send ".repeat(500)))
                .hasSize(WordPieceTokenizer.MOST)
                .endsWith(1, 102);
    }

    @Test
    void vocabulary_of_any_size_is_read_and_a_damaged_one_rejected() {
        StringBuilder json = new StringBuilder("{\"vocab\": {\"send\": 7");
        for (int piece = 1_000; piece < 6_000; piece++) {
            json.append(", \"##").append(piece).append("\" : ").append(piece);
        }
        WordPieceTokenizer pieces = tokenizer(json + "}}");
        assertThat(pieces.distinct("send1000 send5999send send send")).containsExactly(7, 1000);
        assertThat(pieces.distinct("send10003517")).containsExactly(7, 1000, 3517);
        assertThatThrownBy(() -> tokenizer(json.toString())).hasMessage("the tokenizer's vocabulary is damaged");
        assertThatThrownBy(() -> tokenizer("")).hasMessage("the tokenizer's vocabulary is damaged");
    }
}
