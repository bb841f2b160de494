package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the bundled model.
///
/// Takes over five seconds: a model of 23 MB is loaded, and runs before it is compiled.
@Timeout(120)
class MiniLmTest {
    private static float product(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }

    @Test
    void texts_with_the_same_meaning_are_similar_without_common_words() throws IOException {
        MiniLm model = MiniLm.load().orElseThrow();
        float[] mail = model.embed("how do I send an e-mail to somebody");
        float[] tool = model.embed("send_email: deliver a message to a mailbox");
        float[] rain = model.embed("get the weather forecast");
        assertThat(product(mail, mail)).isBetween(0.999f, 1.001f);
        assertThat(product(mail, tool)).isGreaterThan(0.45f);
        assertThat(product(mail, rain)).isLessThan(0.25f);
        assertThat(model.embed("")).hasSize(MiniLm.WIDTH);
        assertThat(model.embed("word ".repeat(10_000))).hasSize(MiniLm.WIDTH);
        assertThat(model.embed("Ünïcödé 天气 🙂")).hasSize(MiniLm.WIDTH);
    }

    /// The results of onnxruntime for these texts are in `oracle.tsv`, written by `oracle.py` beside it. It rounds
    /// the values between layers to bytes, which explains the remaining difference.
    @Test
    void embeddings_match_those_of_onnxruntime() throws IOException {
        MiniLm model = MiniLm.load().orElseThrow();
        Map<String, Float> likeness = new LinkedHashMap<>();
        for (String line : Shop.lines("oracle.tsv")) {
            String[] parts = line.split("\t", 2);
            likeness.put(parts[0], product(model.embed(parts[0]), vector(parts[1])));
        }
        assertThat(likeness).hasSize(9);
        assertThat(likeness.values())
                .as(likeness.toString())
                .allSatisfy(value -> assertThat(value).isGreaterThan(0.99f));
    }

    private static float[] vector(String text) {
        String[] numbers = text.split(" ", -1);
        float[] vector = new float[numbers.length];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = Float.parseFloat(numbers[i]);
        }
        return vector;
    }

    @Test
    void text_is_split_into_the_pieces_of_the_model() {
        WordPieceTokenizer pieces = WordPieceTokenizer.of("{\"model\":{\"vocab\":{\"[UNK]\":100,\"send\":1,\"##ing\":2,"
                + "\"\\\"\":3,\"\\u00e9\":4,\"e\":5,\"!\":6}}}");
        assertThat(pieces.numbers("Sending! \" é qq")).containsExactly(101, 1, 2, 6, 3, 5, 100, 102);
        assertThat(pieces.numbers("send ".repeat(500)))
                .hasSize(WordPieceTokenizer.MOST)
                .endsWith(1, 102);
    }
}
