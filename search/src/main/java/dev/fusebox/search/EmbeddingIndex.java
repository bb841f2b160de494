package dev.fusebox.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The embeddings of documents, as far as they are known, prepared for comparison with a query: a matrix with a column
/// of bytes for each document, because thousands of separate vectors take ten times as long. Immutable.
final class EmbeddingIndex {
    /// Columns per matrix: enough for vector instructions, few enough for a cache.
    private static final int COLUMNS = 1024;

    private final List<Matrix> matrices = new ArrayList<>();
    private final BitSet known = new BitSet();
    private final int count;

    /// @param all one for each document, null if it is unknown; of one length
    EmbeddingIndex(List<? extends @Nullable Embedding> all) {
        count = all.size();
        for (int from = 0; from < count; from += COLUMNS) {
            matrices.add(Matrix.of(all.subList(from, Math.min(count, from + COLUMNS))));
        }
        for (int index = 0; index < count; index++) {
            known.set(index, all.get(index) != null);
        }
    }

    /// The documents whose embeddings are known.
    BitSet known() {
        return known;
    }

    boolean isWhole() {
        return known.cardinality() == count;
    }

    /// The similarity of each document to the query vector, at most 1; 0 if its embedding is unknown.
    float[] similarity(float[] meaning) {
        float[] similarity = new float[count];
        int from = 0;
        for (Matrix matrix : matrices) {
            float[] some = matrix.products(meaning);
            System.arraycopy(some, 0, similarity, from, some.length);
            from += some.length;
        }
        return similarity;
    }

    /// The vector of a document; null if it is unknown.
    @Nullable
    Embedding embedding(int index) {
        return known.get(index) ? matrices.get(index / COLUMNS).column(index % COLUMNS) : null;
    }

    /// The vectors of some documents. Immutable.
    private static final class Matrix {
        /// A row contains the numbers at one place in all vectors.
        private final byte[][] rows;

        private final float[] scales;

        private Matrix(byte[][] rows, float[] scales) {
            this.rows = rows;
            this.scales = scales;
        }

        static Matrix of(List<? extends @Nullable Embedding> some) {
            int length = some.stream()
                    .filter(Objects::nonNull)
                    .mapToInt(Embedding::length)
                    .findAny()
                    .orElse(0);
            byte[][] rows = new byte[length][some.size()];
            float[] scales = new float[some.size()];
            for (int column = 0; column < scales.length; column++) {
                Embedding embedding = some.get(column);
                if (embedding != null) {
                    scales[column] = embedding.scale();
                    embedding.putInto(rows, column);
                }
            }
            return new Matrix(rows, scales);
        }

        Embedding column(int column) {
            byte[] numbers = new byte[rows.length];
            for (int row = 0; row < numbers.length; row++) {
                numbers[row] = rows[row][column];
            }
            return Embedding.of(numbers, scales[column]);
        }

        float[] products(float[] meaning) {
            float[] sums = new float[scales.length];
            for (int row = 0; row < rows.length; row++) {
                add(meaning[row], rows[row], sums);
            }
            for (int column = 0; column < sums.length; column++) {
                sums[column] *= scales[column];
            }
            return sums;
        }

        /// One conversion and one multiplication per step, which C2 turns into vector instructions.
        private static void add(float weight, byte[] row, float[] sums) {
            for (int column = 0; column < sums.length; column++) {
                sums[column] += weight * row[column];
            }
        }
    }
}
