package dev.fusebox.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What documents mean, ready to be compared with a question: a matrix with a column of bytes for each of them,
/// since thousands of vectors one after the other take ten times as long. Immutable.
final class EmbeddingIndex {
    /// Columns of a matrix: enough for vector instructions, few enough for a cache.
    private static final int AT_ONCE = 1024;

    private final List<DenseLayer> matrices = new ArrayList<>();
    private final int count;
    private final int height;

    /// @param all one for each document
    EmbeddingIndex(List<Embedding> all) {
        count = all.size();
        height = all.isEmpty() ? 0 : Math.ceilDiv(all.getFirst().length(), DenseLayer.AT_ONCE) * DenseLayer.AT_ONCE;
        for (int from = 0; from < count; from += AT_ONCE) {
            matrices.add(matrix(all.subList(from, Math.min(count, from + AT_ONCE)), height));
        }
    }

    private static DenseLayer matrix(List<Embedding> some, int height) {
        int width = some.size();
        byte[] columns = new byte[height * width];
        float[] scales = new float[width];
        for (int column = 0; column < width; column++) {
            Embedding embedding = some.get(column);
            scales[column] = embedding.scale();
            for (int row = 0; row < embedding.length(); row++) {
                columns[row * width + column] = embedding.number(row);
            }
        }
        return new DenseLayer(columns, scales, new float[width]);
    }

    /// For each document how like it is to what is meant, at most 1.
    float[] likeness(float[] meaning) {
        float[] likeness = new float[count];
        float[][] row = {Arrays.copyOf(meaning, height)};
        int from = 0;
        for (DenseLayer matrix : matrices) {
            float[] some = matrix.of(row)[0];
            System.arraycopy(some, 0, likeness, from, some.length);
            from += some.length;
        }
        return likeness;
    }
}
