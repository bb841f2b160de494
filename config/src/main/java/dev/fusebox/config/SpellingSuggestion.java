package dev.fusebox.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Spelling suggestions for mistyped words. Pure functions; thread-safe.
public final class SpellingSuggestion {
    /// The maximum length of a compared word, with room for errors.
    private static final int LONGEST = 60;

    private SpellingSuggestion() {}

    /// The known word that takes the fewest typed corrections, if no more than a third of its letters are wrong.
    /// Capitals, hyphens and underscores do not count: `max_attempts` is `maxAttempts`.
    public static Optional<String> nearest(String typed, Collection<String> known) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        String folded = fold(typed);
        return known.stream()
                .filter(word -> 3 * distance(folded, fold(word)) <= word.length() + 1)
                .min(Comparator.comparingInt(word -> distance(folded, fold(word))));
    }

    private static String fold(String word) {
        return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /// Letters to insert, drop, replace or swap with their neighbor to get from one word to the other (the
    /// distance of optimal string alignment).
    public static int distance(String from, String to) {
        int[] twoAbove = new int[to.length() + 1];
        int[] above = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] here = new int[to.length() + 1];
            here[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, 1 + Math.min(above[column], here[column - 1]));
                if (swapped(from, row, to, column)) {
                    here[column] = Math.min(here[column], 1 + twoAbove[column - 2]);
                }
            }
            twoAbove = above;
            above = here;
        }
        return above[to.length()];
    }

    private static boolean swapped(String from, int row, String to, int column) {
        return row > 1
                && column > 1
                && from.charAt(row - 1) == to.charAt(column - 2)
                && from.charAt(row - 2) == to.charAt(column - 1);
    }
}
