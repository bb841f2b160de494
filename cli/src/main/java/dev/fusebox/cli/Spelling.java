package dev.fusebox.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Guesses which known word a mistyped one was meant to be.
final class Spelling {
    private Spelling() {}

    /// The known word that takes the fewest typed corrections, if no more than a third of its letters are wrong.
    static Optional<String> nearest(String typed, List<String> known) {
        return known.stream()
                .filter(word -> 3 * distance(typed, word) <= word.length() + 1)
                .min(Comparator.comparingInt(word -> distance(typed, word)));
    }

    /// Letters to insert, drop or replace to get from one word to the other (Levenshtein).
    static int distance(String from, String to) {
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
            }
            above = here;
        }
        return above[to.length()];
    }
}
