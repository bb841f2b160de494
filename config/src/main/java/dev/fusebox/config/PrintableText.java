package dev.fusebox.config;

/// Conversion of foreign text to text that is safe to print. Pure functions.
final class PrintableText {
    /// Names are short; a longer one is a pasted text.
    private static final int LONGEST = 60;

    private PrintableText() {}

    /// Characters that move the cursor, break the line or change the writing direction are escaped.
    static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isPlain(c)) {
                visible.appendCodePoint(c);
            } else {
                visible.append(String.format("\\u%04x", c));
            }
        });
        return visible.toString();
    }

    /// In quotes, with limited length.
    static String quoted(String text) {
        return "\"" + cut(text, LONGEST) + "\"";
    }

    /// Cut to a number of characters.
    static String cut(String text, int most) {
        int length = text.codePointCount(0, text.length());
        int end = text.offsetByCodePoints(0, Math.min(length, most));
        return text.substring(0, end) + (length > most ? "..." : "");
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
