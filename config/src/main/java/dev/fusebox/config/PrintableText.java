package dev.fusebox.config;

/// Text of others that is safe to print. Pure functions.
final class PrintableText {
    /// Names are short; a longer one is a pasted text.
    private static final int LONGEST = 60;

    private PrintableText() {}

    /// Whatever moves the cursor, breaks the line or turns the direction of writing becomes an escape.
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

    /// In quotes and not too long.
    static String quoted(String text) {
        return "\"" + cut(text, LONGEST) + "\"";
    }

    /// Not longer than so many characters.
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
