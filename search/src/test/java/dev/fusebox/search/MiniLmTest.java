package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The model that the build puts into the module reads texts as it was taught to.
///
/// Over five seconds: a model of 23 MB is loaded, and runs before the compiler has made anything of it.
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
    void texts_that_mean_the_same_are_near_though_they_share_no_word() throws IOException {
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

    /// What onnxruntime makes of these texts stands in `oracle.tsv`; `oracle.py` beside it has made that. It
    /// rounds what goes from layer to layer to bytes, which is where the rest of the difference comes from.
    @Test
    void it_reads_texts_as_onnxruntime_does() throws IOException {
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
    void a_text_is_taken_apart_as_the_model_knows_it() {
        WordPieceTokenizer pieces = WordPieceTokenizer.of("{\"model\":{\"vocab\":{\"[UNK]\":100,\"send\":1,\"##ing\":2,"
                + "\"\\\"\":3,\"\\u00e9\":4,\"e\":5,\"!\":6}}}");
        assertThat(pieces.numbers("Sending! \" é qq")).containsExactly(101, 1, 2, 6, 3, 5, 100, 102);
        assertThat(pieces.numbers("send ".repeat(500)))
                .hasSize(WordPieceTokenizer.MOST)
                .endsWith(1, 102);
    }
}
