package dev.fusebox.search.model;

import dev.fusebox.search.model.Batch.Span;
import java.util.Arrays;

/// Self-attention within each text of a batch: for each token the mean of the values of all tokens of the text,
/// weighted by the softmax of the products of its query and their keys; separately for each head. For one thread.
final class Attention {
    private static final int WIDTH = DenseLayer.WIDTH;
    private static final int HEADS = 12;
    private static final int HEAD = WIDTH / HEADS;

    private final float[][] wide;
    private final float[][] mixed;

    /// @param wide for each token the query, the key and the value
    /// @param mixed receives the results
    Attention(float[][] wide, float[][] mixed) {
        this.wide = wide;
        this.mixed = mixed;
    }

    void mix(Batch batch) {
        for (Span text : batch.spans()) {
            new OfText(text).mix();
        }
    }

    /// The attention within one text, one head after the other in the same arrays.
    private final class OfText {
        private final Span span;
        private final float[][] query;
        private final float[][] scores;
        private final float[][] key;
        private final float[][] value;
        private final float[][] mean;

        /// Columns that only fill up a step of the product contain zeros, and such rows are not used.
        OfText(Span span) {
            this.span = span;
            int rows = MatrixProduct.padded(span.count());
            int tokens = Math.ceilDiv(span.count(), MatrixProduct.FACTORS) * MatrixProduct.FACTORS;
            this.query = new float[rows][];
            for (int row = 0; row < rows; row++) {
                query[row] = wide[span.from() + Math.min(row, span.count() - 1)];
            }
            this.scores = new float[rows][tokens];
            this.key = new float[HEAD][tokens];
            this.value = new float[tokens][HEAD];
            this.mean = new float[rows][HEAD];
        }

        void mix() {
            MatrixProduct products = new MatrixProduct(query, scores, span.count(), scores[0].length);
            MatrixProduct means = new MatrixProduct(scores, mean, span.count(), HEAD);
            for (int head = 0; head < WIDTH; head += HEAD) {
                take(head);
                products.add(head, key);
                for (int row = 0; row < span.count(); row++) {
                    softmax(scores[row], span.count());
                }
                means.add(0, value);
                for (int row = 0; row < span.count(); row++) {
                    System.arraycopy(mean[row], 0, mixed[span.from() + row], head, HEAD);
                }
            }
        }

        /// Copies keys, with a column for each token, and values of a head, and clears the sums.
        private void take(int head) {
            for (int token = 0; token < span.count(); token++) {
                float[] from = wide[span.from() + token];
                for (int i = 0; i < HEAD; i++) {
                    key[i][token] = from[WIDTH + head + i];
                }
                System.arraycopy(from, 2 * WIDTH + head, value[token], 0, HEAD);
            }
            clear(scores);
            clear(mean);
        }

        private static void clear(float[][] sums) {
            for (float[] row : sums) {
                Arrays.fill(row, 0);
            }
        }
    }

    /// Replaces products by shares with the sum 1, and those after the tokens by zeros.
    private static void softmax(float[] scores, int tokens) {
        float most = scores[0];
        for (int other = 1; other < tokens; other++) {
            most = Math.max(most, scores[other]);
        }
        exponentials(scores, most);
        float sum = 0;
        for (int other = 0; other < tokens; other++) {
            sum += scores[other];
        }
        float factor = 1 / sum;
        for (int other = 0; other < tokens; other++) {
            scores[other] *= factor;
        }
        Arrays.fill(scores, tokens, scores.length, 0);
    }

    private static void exponentials(float[] scores, float most) {
        float scale = (float) (1 / Math.sqrt(HEAD));
        for (int other = 0; other < scores.length; other++) {
            scores[other] = Exponential.of((scores[other] - most) * scale);
        }
    }
}
