package dev.fusebox.search.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the arithmetic of the model against the definitions, in double precision.
class MatrixProductTest {
    private static final int INPUTS = 8;

    private static float[][] random(int rows, int width, Random random) {
        float[][] all = new float[rows][width];
        for (float[] row : all) {
            for (int i = 0; i < width; i++) {
                row[i] = random.nextFloat() - 0.5f;
            }
        }
        return all;
    }

    @Test
    void product_equals_the_sums_of_products_for_each_width() {
        for (int width = 1; width < 70; width++) {
            Random random = new Random(width);
            float[][] rows = random(6, INPUTS, random);
            float[][] factors = random(INPUTS, width, random);
            float[][] sums = new float[MatrixProduct.padded(5)][width];
            new MatrixProduct(rows, sums, 5, width).add(0, factors);
            for (int row = 0; row < rows.length; row++) {
                for (int column = 0; column < width; column++) {
                    assertThat((double) sums[row][column])
                            .as("width %d, row %d, column %d", width, row, column)
                            .isCloseTo(sum(rows[row], factors, column), within(1e-6));
                }
            }
        }
    }

    private static double sum(float[] row, float[][] factors, int column) {
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            sum += (double) row[i] * factors[i][column];
        }
        return sum;
    }

    @Test
    void exponential_has_a_small_relative_error_and_a_lower_end() {
        for (float x = -31.9f; x <= 0; x += 0.01f) {
            assertThat(Exponential.of(x) / Math.exp(x)).as("x %s", x).isCloseTo(1, within(1e-5));
        }
        assertThat(Exponential.of(-1e30f)).isEqualTo(Exponential.of(-32));
        assertThat(Exponential.of(-32)).isBetween(0f, 2e-14f);
    }

    @Test
    void gelu_is_the_product_with_the_share_of_a_normal_distribution() {
        float[] values = {-100, -6, -3, -1, -0.5f, 0, 0.5f, 1, 3, 6, 100};
        // From tables of the normal distribution.
        double[] shares = {
            0, 9.87e-10, 0.0013498980, 0.1586552539, 0.3085375387, 0.5, 0.6914624613, 0.8413447461, 0.9986501020, 1, 1
        };
        float[] result = values.clone();
        Gelu.on(result, result.length);
        for (int i = 0; i < values.length; i++) {
            assertThat((double) result[i]).as("x %s", values[i]).isCloseTo(values[i] * shares[i], within(2e-6));
        }
    }
}
