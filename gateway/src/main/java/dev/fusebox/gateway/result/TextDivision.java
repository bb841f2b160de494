package dev.fusebox.gateway.result;

import java.text.BreakIterator;
import java.util.Locale;

/// The places at which a text may be divided: at a line end if one is near, otherwise between two characters as
/// people see them (extended grapheme clusters, Unicode Standard Annex 29), so that no emoji sequence, letter with
/// its marks, or CRLF is torn apart. Pure functions; nothing blocks.
final class TextDivision {
    /// A line end is near if the part loses no more than a quarter of its length.
    private static final int QUARTER = 4;

    /// More characters (UTF-16) do not belong together: real sequences have fewer than forty, and a server could
    /// write one without an end.
    static final int MAX_CLUSTER = 128;

    /// Enough text before a place to tell whether it is inside of a cluster that counts.
    private static final int WINDOW = 4 * MAX_CLUSTER;

    /// No character before the combining marks belongs to its predecessor, except the LF of a CRLF.
    private static final char FIRST_COMBINING_MARK = 0x300;

    private TextDivision() {}

    /// The end of the longest part of a text that begins here and fits; `from` itself if not even one character
    /// does.
    static int end(String text, int from, TextBudget budget) {
        int reach = budget.reach(text, from);
        if (reach == text.length() || reach == from) {
            return reach;
        }
        int line = lineEnd(text, reach - (reach - from) / QUARTER, reach);
        return line > from ? line : characterEnd(text, from, reach);
    }

    /// The same for a part that must not be empty: one character at least.
    static int endAfterOne(String text, int from, TextBudget budget) {
        int end = end(text, from, budget);
        return end > from ? end : firstCharacterEnd(text, from);
    }

    /// The last line end in a range; negative if there is none.
    private static int lineEnd(String text, int least, int most) {
        for (int at = most; at > least; at--) {
            char before = text.charAt(at - 1);
            if (before == '\n' || (before == '\r' && text.charAt(at) != '\n')) {
                return at;
            }
        }
        return -1;
    }

    /// The last place up to `most` that is between two characters.
    private static int characterEnd(String text, int from, int most) {
        char before = text.charAt(most - 1);
        char after = text.charAt(most);
        boolean isPlain = before < FIRST_COMBINING_MARK && after < FIRST_COMBINING_MARK;
        if (isPlain && !(before == '\r' && after == '\n')) {
            return most;
        }
        int window = window(text, from, most);
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text.substring(window, Math.min(text.length(), most + 2)));
        int end = characters.isBoundary(most - window) ? most : window + characters.preceding(most - window);
        return most - end > MAX_CLUSTER ? most : end;
    }

    /// Where to begin looking. Not between two regional indicators: they form flags in pairs, counted from the
    /// first.
    private static int window(String text, int from, int most) {
        int at = Math.max(from, most - WINDOW);
        if (at > from && Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1))) {
            at--;
        }
        while (at > from && isRegionalIndicator(text.codePointBefore(at))) {
            at -= 2;
        }
        return Math.max(from, at);
    }

    private static boolean isRegionalIndicator(int codePoint) {
        return codePoint >= 0x1F1E6 && codePoint <= 0x1F1FF;
    }

    private static int firstCharacterEnd(String text, int from) {
        int most = Math.min(text.length(), from + MAX_CLUSTER);
        if (most < text.length() && Character.isLowSurrogate(text.charAt(most))) {
            most--;
        }
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text.substring(from, most));
        return from + characters.next();
    }
}
