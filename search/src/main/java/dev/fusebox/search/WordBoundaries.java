package dev.fusebox.search;

/// Where the parts of a text begin and end: a word, a number, a run of capitals up to the one that begins the next
/// word. `getHTTPUrl2` has four. Pure functions, thread-safe.
final class WordBoundaries {
    private static final byte NEITHER = 0;
    private static final byte CAPITAL = 1;
    private static final byte SMALL = 2;

    /// Of a script that knows no capitals, for example.
    private static final byte OTHER_LETTER = 3;

    private static final byte DIGIT = 4;

    private static final byte[] OF_ASCII = new byte[128];

    static {
        for (int letter = 0; letter < OF_ASCII.length; letter++) {
            OF_ASCII[letter] = kindOf(letter);
        }
    }

    private WordBoundaries() {}

    /// Where the first part begins that does so here or later; the end of the text if none does.
    static int next(String text, int from) {
        int at = from;
        while (at < text.length() && kind(text, at) == NEITHER) {
            at = after(text, at);
        }
        return at;
    }

    /// Where the part ends that begins here.
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

    /// The end of what is of one of these kinds from here on.
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
