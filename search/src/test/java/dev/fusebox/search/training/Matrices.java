package dev.fusebox.search.training;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// Products of matrices in arrays of rows. Each number is summed in a fixed order, whatever the number of threads,
/// so that a training run can be repeated exactly; the inner loops add whole rows, which the compiler turns into
/// vector instructions. Stateless.
final class Matrices {
    private Matrices() {}

    /// The product of two matrices.
    static float[][] product(float[][] left, float[][] right) {
        float[][] product = new float[left.length][right[0].length];
        forEachRow(left.length, row -> {
            for (int i = 0; i < right.length; i++) {
                addTo(product[row], left[row][i], right[i]);
            }
        });
        return product;
    }

    static float[][] transposed(float[][] matrix) {
        float[][] transposed = new float[matrix[0].length][matrix.length];
        for (int row = 0; row < matrix.length; row++) {
            for (int column = 0; column < matrix[0].length; column++) {
                transposed[column][row] = matrix[row][column];
            }
        }
        return transposed;
    }

    static void forEachRow(int count, IntConsumer action) {
        IntStream.range(0, count).parallel().forEach(action);
    }

    /// Adds a multiple of a vector to another.
    static void addTo(float[] sum, float factor, float[] vector) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * vector[i];
        }
    }

    static double dot(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += (double) one[i] * other[i];
        }
        return sum;
    }
}
