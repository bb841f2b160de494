package dev.fusebox.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The embeddings of documents, prepared for comparison with a query: a matrix with a column of bytes for each
/// document, because thousands of separate vectors take ten times as long. Immutable.
final class EmbeddingIndex {
    /// Columns per matrix: enough for vector instructions, few enough for a cache.
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

    /// The similarity of each document to the query vector, at most 1.
    float[] similarity(float[] meaning) {
        float[] similarity = new float[count];
        float[][] row = {Arrays.copyOf(meaning, height)};
        int from = 0;
        for (DenseLayer matrix : matrices) {
            float[] some = matrix.of(row)[0];
            System.arraycopy(some, 0, similarity, from, some.length);
            from += some.length;
        }
        return similarity;
    }
}
