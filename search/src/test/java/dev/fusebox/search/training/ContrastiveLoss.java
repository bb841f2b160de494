package dev.fusebox.search.training;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The InfoNCE loss of a batch of questions and tools, and its gradient: each question is to be closer to its tool
/// than to all others of the batch, and each tool to its question. Immutable.
final class ContrastiveLoss {
    private static final float SHORTEST = 1e-6f;

    private final float[][] table;
    private final float temperature;

    /// @param table one row for each word piece; the vector of a text is the sum of the rows of its pieces
    ContrastiveLoss(float[][] table, float temperature) {
        this.table = table;
        this.temperature = temperature;
    }

    /// One batch.
    ///
    /// @param questions the pieces of each question
    /// @param tools the pieces of the tool of each question
    /// @param isRight the tools of the batch that are right answers of each question
    record Batch(List<int[]> questions, List<int[]> tools, List<BitSet> isRight) {
        /// The questions of which a tool is a right answer.
        private BitSet questionsOf(int tool) {
            BitSet questionsOf = new BitSet();
            for (int question = 0; question < questions.size(); question++) {
                questionsOf.set(question, isRight.get(question).get(tool));
            }
            return questionsOf;
        }
    }

    /// The vectors of some texts, and their lengths before they were divided by them.
    private static final class Vectors {
        final List<int[]> pieces;
        final float[][] units;
        final float[] lengths;

        Vectors(List<int[]> pieces, int width) {
            this.pieces = pieces;
            this.units = new float[pieces.size()][width];
            this.lengths = new float[pieces.size()];
        }
    }

    /// The gradient of each row that has one, in the order of the rows.
    Map<Integer, float[]> gradients(Batch batch) {
        Vectors questions = vectors(batch.questions());
        Vectors tools = vectors(batch.tools());
        float[][] slopes = slopes(Matrices.product(questions.units, Matrices.transposed(tools.units)), batch);
        Map<Integer, float[]> gradients = new TreeMap<>();
        collect(questions, Matrices.product(slopes, tools.units), gradients);
        collect(tools, Matrices.product(Matrices.transposed(slopes), questions.units), gradients);
        return gradients;
    }

    private Vectors vectors(List<int[]> pieces) {
        Vectors vectors = new Vectors(pieces, table[0].length);
        Matrices.forEachRow(pieces.size(), text -> {
            float[] sum = new float[table[0].length];
            for (int piece : pieces.get(text)) {
                Matrices.addTo(sum, 1, table[piece]);
            }
            vectors.lengths[text] = Math.max(SHORTEST, (float) Math.sqrt(Matrices.dot(sum, sum)));
            Matrices.addTo(vectors.units[text], 1 / vectors.lengths[text], sum);
        });
        return vectors;
    }

    /// The derivatives of the loss by the similarities, which are changed.
    private float[][] slopes(float[][] similarities, Batch batch) {
        int size = similarities.length;
        float[][] ofTools = Matrices.transposed(similarities);
        float[][] slopes = new float[size][size];
        Matrices.forEachRow(size, row -> {
            softmax(similarities[row], row, batch.isRight().get(row));
            softmax(ofTools[row], row, batch.questionsOf(row));
        });
        Matrices.forEachRow(size, row -> {
            for (int column = 0; column < size; column++) {
                float share = (similarities[row][column] + ofTools[column][row]) / 2;
                slopes[row][column] = (share - (row == column ? 1 : 0)) / (size * temperature);
            }
        });
        return slopes;
    }

    /// Other right answers have no share: they are not wrong, but one of them is compared at a time.
    private void softmax(float[] row, int own, BitSet isRight) {
        float most = Float.NEGATIVE_INFINITY;
        for (float value : row) {
            most = Math.max(most, value);
        }
        float sum = 0;
        for (int i = 0; i < row.length; i++) {
            boolean counts = i == own || !isRight.get(i);
            row[i] = counts ? (float) StrictMath.exp((row[i] - most) / temperature) : 0;
            sum += row[i];
        }
        for (int i = 0; i < row.length; i++) {
            row[i] /= sum;
        }
    }

    /// Adds the gradients of some texts to those of their pieces. The component along a vector is removed, because
    /// only the direction of a vector counts.
    private static void collect(Vectors vectors, float[][] slopes, Map<Integer, float[]> gradients) {
        for (int text = 0; text < slopes.length; text++) {
            float[] unit = vectors.units[text];
            Matrices.addTo(slopes[text], (float) -Matrices.dot(slopes[text], unit), unit);
            for (int piece : vectors.pieces.get(text)) {
                float[] gradient = gradients.computeIfAbsent(piece, it -> new float[unit.length]);
                Matrices.addTo(gradient, 1 / vectors.lengths[text], slopes[text]);
            }
        }
    }
}
