package dev.fusebox.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds documents by their words (BM25 over fields that weigh differently). Immutable.
final class Lexicon {
    /// From here on saying a word again hardly says more; the value of most engines.
    private static final double SATURATION = 1.2;

    /// Long descriptions are not punished as in prose: most of what they say is about the same thing.
    private static final double LENGTH = 0.4;

    private static final float NAME = 3;
    private static final float GROUP = 1.5f;
    private static final float DESCRIPTION = 1;
    private static final float DETAILS = 0.4f;

    private final Map<String, List<Posting>> postings = new HashMap<>();
    private final double[] norms;

    private record Posting(int document, float weight) {}

    Lexicon(List<Document> documents) {
        double[] lengths = new double[documents.size()];
        for (int index = 0; index < lengths.length; index++) {
            int at = index;
            Map<String, Float> weights = weights(documents.get(index));
            weights.forEach((word, weight) -> {
                postings.computeIfAbsent(word, none -> new ArrayList<>()).add(new Posting(at, weight));
                lengths[at] += weight;
            });
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

    private static Map<String, Float> weights(Document document) {
        Map<String, Float> weights = new HashMap<>();
        add(weights, document.name(), NAME);
        add(weights, document.group(), GROUP);
        add(weights, document.description(), DESCRIPTION);
        add(weights, document.details(), DETAILS);
        return weights;
    }

    private static void add(Map<String, Float> weights, String text, float weight) {
        Words.of(text).forEach(word -> weights.merge(word, weight, Float::sum));
    }

    /// For each document how well it fits, from 0 to 1: 1 would be one that says nothing but the words of the query.
    double[] scores(String query) {
        double[] scores = new double[norms.length];
        Set<String> words = new HashSet<>(Words.of(query));
        double best = 0;
        for (String word : words) {
            List<Posting> places = postings.getOrDefault(word, List.of());
            double rarity = Math.log(1 + (norms.length - places.size() + 0.5) / (places.size() + 0.5));
            best += rarity * (SATURATION + 1);
            for (Posting place : places) {
                double weight = place.weight();
                scores[place.document()] += rarity * weight * (SATURATION + 1) / (weight + norms[place.document()]);
            }
        }
        for (int index = 0; index < scores.length && best > 0; index++) {
            scores[index] /= best;
        }
        return scores;
    }
}
