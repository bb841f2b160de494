package dev.fusebox.gateway.tools;

/// The beginning of a description, enough to distinguish it from others. Pure functions.
final class FirstSentence {
    /// Shorter words before a full stop are mostly abbreviations.
    private static final int MIN_LAST_WORD = 3;

    private FirstSentence() {}

    /// The first sentence on one line, cut between words if it is longer than `most` characters.
    static String of(String text, int most) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), most + 1));
        int word = 0;
        for (int i = 0; i < text.length() && line.length() <= most; i++) {
            char next = text.charAt(i);
            if (!Character.isWhitespace(next)) {
                line.append(next);
                if (next == '\u3002') {
                    return line.toString();
                }
            } else if (isEnd(line, word)) {
                return line.toString();
            } else if (!line.isEmpty() && line.charAt(line.length() - 1) != ' ') {
                line.append(' ');
                word = line.length();
            }
        }
        String whole = line.toString().stripTrailing();
        return whole.length() <= most ? whole : cut(whole, word, most);
    }

    /// @param word the index at which the last word begins
    private static boolean isEnd(CharSequence line, int word) {
        int last = line.length() - 1;
        boolean isMark =
                last >= 0 && (line.charAt(last) == '.' || line.charAt(last) == '!' || line.charAt(last) == '?');
        if (!isMark || last - word < MIN_LAST_WORD) {
            return false;
        }
        for (int i = word; i < last; i++) {
            if (line.charAt(i) == '.') {
                return false;
            }
        }
        return true;
    }

    /// A single word that fills more than half of the limit is cut.
    private static String cut(String line, int word, int most) {
        int end = word > most / 2 ? word - 1 : most;
        boolean splitsPair = end < line.length() && Character.isLowSurrogate(line.charAt(end));
        return line.substring(0, splitsPair ? end - 1 : end) + "...";
    }
}
