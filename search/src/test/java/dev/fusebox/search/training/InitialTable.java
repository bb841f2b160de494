package dev.fusebox.search.training;

import dev.fusebox.search.model.Embedder;
import dev.fusebox.search.model.WordPieceTokenizer;
import java.util.Collection;
import java.util.List;

/// Initial vectors of word pieces: the vector that the sentence model has for the piece alone, reduced to its
/// principal components, with a length that rises with the rarity of the piece. Stateless.
final class InitialTable {
    private InitialTable() {}

    /// The vectors of the sentence model; takes about a minute. The row of a special piece is zero.
    static float[][] embedded(List<String> vocabulary, Embedder model) {
        float[][] vectors = new float[vocabulary.size()][];
        Matrices.forEachRow(vectors.length, piece -> vectors[piece] = model.embed(letters(vocabulary.get(piece))));
        return vectors;
    }

    private static String letters(String piece) {
        return piece.startsWith("##") && piece.length() > 2 ? piece.substring(2) : piece;
    }

    static boolean isSpecial(String piece) {
        return piece.startsWith("[") && piece.endsWith("]") && piece.length() > 2;
    }

    /// @param embedded the result of [#embedded]
    /// @param rarities one factor for each piece
    static float[][] of(float[][] embedded, double[] rarities, int width) {
        PrincipalComponents components = PrincipalComponents.of(embedded, width);
        float[][] table = new float[embedded.length][width];
        Matrices.forEachRow(table.length, piece -> {
            float[] reduced = components.reduced(embedded[piece]);
            double length = Math.sqrt(Matrices.dot(reduced, reduced));
            if (length > 0) {
                Matrices.addTo(table[piece], (float) (rarities[piece] / length), reduced);
            }
        });
        return table;
    }

    /// The square root of the inverse document frequency of each piece in some texts.
    static double[] rarities(Collection<String> texts, WordPieceTokenizer tokenizer, int pieces) {
        int[] counts = new int[pieces];
        for (String text : texts) {
            for (int piece : tokenizer.distinct(text)) {
                counts[piece]++;
            }
        }
        double[] rarities = new double[pieces];
        for (int piece = 0; piece < pieces; piece++) {
            rarities[piece] = Math.sqrt(StrictMath.log((texts.size() + 1.0) / (counts[piece] + 1.0)));
        }
        return rarities;
    }
}
