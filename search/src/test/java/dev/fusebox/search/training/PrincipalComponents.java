package dev.fusebox.search.training;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The directions in which vectors differ most, computed with the rotations of Jacobi. Immutable.
final class PrincipalComponents {
    private static final int SWEEPS = 12;

    private final float[] mean;
    private final float[][] directions;

    private PrincipalComponents(float[] mean, float[][] directions) {
        this.mean = mean;
        this.directions = directions;
    }

    /// @param count how many directions
    static PrincipalComponents of(float[][] vectors, int count) {
        int width = vectors[0].length;
        float[] mean = new float[width];
        for (float[] vector : vectors) {
            Matrices.addTo(mean, 1f / vectors.length, vector);
        }
        double[][] matrix = covariance(vectors, mean);
        double[][] axes = new double[width][width];
        for (int i = 0; i < width; i++) {
            axes[i][i] = 1;
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int one = 0; one < width; one++) {
                for (int other = one + 1; other < width; other++) {
                    rotate(matrix, axes, one, other);
                }
            }
        }
        List<Integer> largest = IntStream.range(0, width)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -matrix[i][i]))
                .limit(count)
                .toList();
        float[][] directions = new float[count][width];
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < width; i++) {
                directions[row][i] = (float) axes[largest.get(row)][i];
            }
        }
        return new PrincipalComponents(mean, directions);
    }

    /// The vector in these directions, relative to the mean.
    float[] reduced(float[] vector) {
        float[] centered = vector.clone();
        Matrices.addTo(centered, -1, mean);
        float[] reduced = new float[directions.length];
        for (int row = 0; row < reduced.length; row++) {
            reduced[row] = (float) Matrices.dot(directions[row], centered);
        }
        return reduced;
    }

    private static double[][] covariance(float[][] vectors, float[] mean) {
        int width = mean.length;
        double[][] covariance = new double[width][width];
        float[][] centered = new float[vectors.length][];
        for (int at = 0; at < vectors.length; at++) {
            centered[at] = vectors[at].clone();
            Matrices.addTo(centered[at], -1, mean);
        }
        Matrices.forEachRow(width, row -> {
            for (float[] vector : centered) {
                for (int i = 0; i < width; i++) {
                    covariance[row][i] += (double) vector[row] * vector[i];
                }
            }
        });
        return covariance;
    }

    /// Makes one pair of numbers beside the diagonal zero. The axes are rows, so that all loops run over rows: the
    /// matrix stays symmetric, and its columns are copied from its rows.
    private static void rotate(double[][] matrix, double[][] axes, int one, int other) {
        double off = matrix[one][other];
        if (off == 0) {
            return;
        }
        double ratio = (matrix[other][other] - matrix[one][one]) / (2 * off);
        double tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
        double cosine = 1 / Math.sqrt(tangent * tangent + 1);
        double sine = tangent * cosine;
        double first = matrix[one][one] - tangent * off;
        double second = matrix[other][other] + tangent * off;
        turn(matrix[one], matrix[other], cosine, sine);
        turn(axes[one], axes[other], cosine, sine);
        matrix[one][one] = first;
        matrix[other][other] = second;
        matrix[one][other] = 0;
        matrix[other][one] = 0;
        for (int i = 0; i < matrix.length; i++) {
            matrix[i][one] = matrix[one][i];
            matrix[i][other] = matrix[other][i];
        }
    }

    private static void turn(double[] one, double[] other, double cosine, double sine) {
        for (int i = 0; i < one.length; i++) {
            double value = one[i];
            one[i] = cosine * value - sine * other[i];
            other[i] = sine * value + cosine * other[i];
        }
    }
}
