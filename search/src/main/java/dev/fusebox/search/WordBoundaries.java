package dev.fusebox.search;

/// The boundaries of words in a text or name: a word, a number, a run of capitals up to the one that starts the
/// next word. `getHTTPUrl2` has four. Stateless, thread-safe.
final class WordBoundaries {
    private static final byte NEITHER = 0;
    private static final byte CAPITAL = 1;
    private static final byte SMALL = 2;

    /// For example of a script without capitals.
    private static final byte OTHER_LETTER = 3;

    private static final byte DIGIT = 4;

    private static final byte[] OF_ASCII = new byte[128];

    static {
        for (int letter = 0; letter < OF_ASCII.length; letter++) {
            OF_ASCII[letter] = kindOf(letter);
        }
    }

    private WordBoundaries() {}

    /// The start of the first word at or after this position; the end of the text if there is none.
    static int next(String text, int from) {
        int at = from;
        while (at < text.length() && kind(text, at) == NEITHER) {
            at = after(text, at);
        }
        return at;
    }

    /// The end of the word that starts here.
    static int end(String text, int from) {
        return switch (kind(text, from)) {
            case DIGIT -> run(text, from, DIGIT, DIGIT);
            case CAPITAL -> capitals(text, from);
            default -> run(text, from, SMALL, OTHER_LETTER);
        };
    }

    private static int capitals(String text, int from) {
        int last = from;
        int to = after(text, from);
        while (to < text.length() && kind(text, to) == CAPITAL) {
            last = to;
            to = after(text, to);
        }
        if (to == text.length() || kind(text, to) != SMALL) {
            return to;
        }
        return last > from ? last : run(text, to, SMALL, OTHER_LETTER);
    }

    /// The end of the run of these kinds of characters.
    private static int run(String text, int from, byte one, byte other) {
        int to = from;
        while (to < text.length() && (kind(text, to) == one || kind(text, to) == other)) {
            to = after(text, to);
        }
        return to;
    }

    private static byte kind(String text, int at) {
        char letter = text.charAt(at);
        return letter < OF_ASCII.length ? OF_ASCII[letter] : kindOf(text.codePointAt(at));
    }

    private static int after(String text, int at) {
        return text.charAt(at) < OF_ASCII.length ? at + 1 : at + Character.charCount(text.codePointAt(at));
    }

    private static byte kindOf(int point) {
        return switch (Character.getType(point)) {
            case Character.UPPERCASE_LETTER -> CAPITAL;
            case Character.LOWERCASE_LETTER -> SMALL;
            case Character.TITLECASE_LETTER, Character.MODIFIER_LETTER, Character.OTHER_LETTER -> OTHER_LETTER;
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> DIGIT;
            default -> NEITHER;
        };
    }
}
