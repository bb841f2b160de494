package dev.fusebox.client.process;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Escaping of foreign text for a terminal: control characters that could move the cursor, change colors or
/// reverse a line are shown as text. Pure functions.
final class PrintableOutput {
    private PrintableOutput() {}

    static String line(String text) {
        var visible = new StringBuilder(text.length());
        text.codePoints().forEach(each -> append(visible, each));
        return visible.toString();
    }

    private static void append(StringBuilder visible, int each) {
        if (each == '\t') {
            visible.append(' ');
        } else if (each != '\r' && isHarmless(each)) {
            visible.appendCodePoint(each);
        } else if (each != '\r') {
            visible.append(each < 0x100 ? "\\x" : "\\u").append(hex(each));
        }
    }

    private static boolean isHarmless(int each) {
        return switch (Character.getType(each)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String hex(int each) {
        return HexFormat.of().toHexDigits(each, each < 0x100 ? 2 : each < 0x10000 ? 4 : 6);
    }

    /// The end of a text, limited in bytes of UTF-8; never half a character.
    static String end(String text, int bytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        int from = Math.max(0, all.length - bytes);
        while (from < all.length && from > 0 && (all[from] & 0xC0) == 0x80) {
            from++;
        }
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    /// The beginning of a text, limited in characters.
    static String start(String text, int characters) {
        int end = Math.min(text.length(), characters);
        boolean cutsPair = end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, cutsPair ? end - 1 : end);
    }
}
