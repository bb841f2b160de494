package dev.fusebox.gateway.result;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A text and the parts in which it can be read, numbered from 1. Immutable.
final class DividedText {
    /// The ends of more parts would need more memory than most texts.
    static final int MAX_PARTS = 100_000;

    /// What the object itself needs beside text and ends.
    private static final int OVERHEAD_BYTES = 256;

    private final String text;
    private final int[] ends;

    private DividedText(String text, int[] ends) {
        this.text = text;
        this.ends = ends;
    }

    /// Divides a text; null if it would have too many parts.
    ///
    /// @param first the end of the part that the client already has; 0 if it has none
    /// @param each what a part may need
    static @Nullable DividedText of(String text, int first, TextBudget each) {
        int[] ends = new int[16];
        int count = 0;
        int at = first;
        if (first > 0) {
            ends[count++] = first;
        }
        while (at < text.length()) {
            if (count == MAX_PARTS) {
                return null;
            }
            at = TextDivision.endAfterOne(text, at, each);
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            ends[count++] = at;
        }
        return new DividedText(text, Arrays.copyOf(ends, count));
    }

    int parts() {
        return ends.length;
    }

    /// @param number from 1 to [#parts]
    String part(int number) {
        return text.substring(number == 1 ? 0 : ends[number - 2], ends[number - 1]);
    }

    /// The memory that it takes, if its characters need two bytes each.
    long memory() {
        return 2L * text.length() + 4L * ends.length + OVERHEAD_BYTES;
    }
}
