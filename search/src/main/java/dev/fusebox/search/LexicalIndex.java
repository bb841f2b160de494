package dev.fusebox.search;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// A word index of documents (BM25 over fields with different weights). Immutable.
final class LexicalIndex {
    /// From this count on, repeating a word hardly adds to the score; the usual value of search engines.
    private static final double SATURATION = 1.2;

    /// Long descriptions are penalized less than in prose: they are mostly about the same thing.
    private static final double LENGTH = 0.4;

    /// The weight of a synonym compared to the word itself; measured in docs/search.md.
    private static final double SYNONYM_WEIGHT = 0.7;

    /// Further words of a query add little, and each takes time for all documents.
    private static final int MAX_QUERY_WORDS = 200;

    private static final Synonyms SYNONYMS = Synonyms.read();

    private final Postings postings;
    private final double[] norms;

    LexicalIndex(List<ToolText> toolTexts) {
        List<TermCounts> termCountses =
                toolTexts.stream().map(toolText -> toolText.features().words()).toList();
        postings = new Postings(termCountses.stream().mapToInt(TermCounts::size).sum());
        double[] lengths = new double[termCountses.size()];
        for (int document = 0; document < lengths.length; document++) {
            TermCounts termCounts = termCountses.get(document);
            for (int index = 0; index < termCounts.size(); index++) {
                postings.add(document, termCounts.word(index), termCounts.weight(index));
                lengths[document] += termCounts.weight(index);
            }
        }
        double sum = 0;
        for (double length : lengths) {
            sum += length;
        }
        double usual = Math.max(1, sum / Math.max(1, lengths.length));
        norms = new double[lengths.length];
        for (int index = 0; index < lengths.length; index++) {
            norms[index] = SATURATION * (1 - LENGTH + LENGTH * lengths[index] / usual);
        }
    }

    /// The score of each document; 0 if it has no word of the query.
    double[] scores(String query) {
        double[] scores = new double[norms.length];
        double[] gains = new double[norms.length];
        for (long word : words(query).toArray()) {
            double rarity = rarity(word);
            gain(word, rarity, gains);
            for (long other : SYNONYMS.synonymsOf(word)) {
                gain(other, SYNONYM_WEIGHT * Math.min(rarity, rarity(other)), gains);
            }
            for (int index = 0; index < scores.length; index++) {
                scores[index] += gains[index];
                gains[index] = 0;
            }
        }
        return scores;
    }

    /// The score of a document that contains only the words of the query; no document reaches it.
    double best(String query) {
        return words(query).mapToDouble(word -> rarity(word) * (SATURATION + 1)).sum();
    }

    private static LongStream words(String query) {
        return Arrays.stream(Tokenizer.of(query)).distinct().limit(MAX_QUERY_WORDS);
    }

    private double rarity(long word) {
        int places = postings.count(word);
        return Math.log(1 + (norms.length - places + 0.5) / (places + 0.5));
    }

    /// Two synonyms in one document count once.
    private void gain(long word, double worth, double[] gains) {
        for (int place = postings.latest(word); place != Postings.NONE; place = postings.earlier(place)) {
            int document = postings.document(place);
            float weight = postings.weight(place);
            double gain = worth * weight * (SATURATION + 1) / (weight + norms[document]);
            gains[document] = Math.max(gains[document], gain);
        }
    }
}
