package dev.fusebox.search.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Adapters change the weights by the product of two narrow matrices, and fit one model only.
@Timeout(60)
class AdaptersTest {
    private static final int HEADER = 3 * Integer.BYTES;
    private static final int WIDTH = DenseLayer.WIDTH;

    private static ModelWeights weights;
    private static byte[] bundled;

    @BeforeAll
    static void load() throws IOException {
        weights = ModelWeights.read(new ByteArrayInputStream(resource(SentenceModel.WEIGHTS)));
        bundled = resource("adapters.bin");
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(SentenceModel.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }

    /// Adapters of the size of the bundled ones that change nothing.
    private static byte[] zero() {
        byte[] file = new byte[bundled.length];
        System.arraycopy(bundled, 0, file, 0, HEADER);
        return file;
    }

    private static float weight(ModelWeights of, int row, int column) {
        String matrix = of.matrices()[0];
        return of.bytes(matrix + "_quantized")[row * WIDTH + column] * of.floats(matrix + "_scale")[column];
    }

    @Test
    void product_of_the_narrow_matrices_is_added() throws IOException {
        int rank = ByteBuffer.wrap(bundled).order(ByteOrder.LITTLE_ENDIAN).getInt(2 * Integer.BYTES);
        byte[] changed = zero();
        ByteBuffer file = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        int row = 7;
        int column = 300;
        file.putShort(HEADER + Short.BYTES * row * rank, Float.floatToFloat16(0.5f));
        file.putShort(HEADER + Short.BYTES * (WIDTH * rank + column), Float.floatToFloat16(0.25f));
        ModelWeights tuned = Adapters.read(changed).tuned(weights);
        float step = tuned.floats(tuned.matrices()[0] + "_scale")[column];
        assertThat(weight(tuned, row, column) - weight(weights, row, column)).isBetween(0.125f - step, 0.125f + step);
        assertThat(weight(tuned, row + 1, column) - weight(weights, row + 1, column))
                .isBetween(-step, step);
    }

    @Test
    void adapters_without_effect_leave_the_vectors_as_they_are() throws IOException {
        ModelWeights same = Adapters.read(zero()).tuned(weights);
        for (String matrix : weights.matrices()) {
            float[] before = weights.floats(matrix + "_scale");
            float[] after = same.floats(matrix + "_scale");
            byte[] some = weights.bytes(matrix + "_quantized");
            byte[] others = same.bytes(matrix + "_quantized");
            for (int i = 0; i < some.length; i += 997) {
                int column = i % before.length;
                assertThat(Math.abs(some[i] * before[column] - others[i] * after[column]))
                        .isLessThanOrEqualTo(before[column] / 2 + 1e-6f);
            }
        }
    }

    @Test
    void bundled_adapters_change_what_the_model_finds_similar() throws IOException {
        String question = "how do I send an e-mail to somebody";
        assertThat(SentenceModel.load().orElseThrow().embed(question))
                .isNotEqualTo(UntunedModel.load().embed(question));
    }

    @Test
    void damaged_or_foreign_file_is_rejected() {
        byte[] other = bundled.clone();
        other[0]++;
        byte[] newer = bundled.clone();
        newer[Integer.BYTES]++;
        byte[] rank = bundled.clone();
        rank[2 * Integer.BYTES + 3] = 1;
        for (byte[] file : new byte[][] {new byte[0], other, newer, rank}) {
            assertThatThrownBy(() -> Adapters.read(file)).isInstanceOf(IOException.class);
        }
        for (int length : new int[] {HEADER, bundled.length - 2, bundled.length + 2}) {
            assertThatThrownBy(
                            () -> Adapters.read(Arrays.copyOf(bundled, length)).tuned(weights))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("belong to another model");
        }
    }
}
