package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;

/// JSON strings in bytes and Java strings: reading, comparing, writing. Stateless, thread-safe.
final class JsonStrings {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonStrings() {}

    /// Whether the validated string between the quotes at `from` and before `to` equals `expected` after decoding.
    static boolean equal(byte[] text, int from, int to, String expected) {
        if (to - from - 2 == expected.length()) {
            for (int i = 0; i < expected.length(); i++) {
                if (text[from + 1 + i] != expected.charAt(i)) {
                    return hasEscapeOrMore(text, from, to)
                            && decode(text, from, to).equals(expected);
                }
            }
            return true;
        }
        return hasEscapeOrMore(text, from, to) && decode(text, from, to).equals(expected);
    }

    private static boolean hasEscapeOrMore(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\' || text[i] < 0) {
                return true;
            }
        }
        return false;
    }

    /// The decoded text of the validated string between the quotes.
    static String decode(byte[] text, int from, int to) {
        String raw = new String(text, from + 1, to - from - 2, StandardCharsets.UTF_8);
        return raw.indexOf('\\') < 0 ? raw : unescape(raw);
    }

    private static String unescape(String raw) {
        StringBuilder plain = new StringBuilder(raw.length());
        int at = 0;
        while (at < raw.length()) {
            char c = raw.charAt(at++);
            if (c != '\\') {
                plain.append(c);
            } else if (raw.charAt(at) == 'u') {
                plain.append((char) Integer.parseInt(raw, at + 1, at + 5, 16));
                at += 5;
            } else {
                plain.append(unescape(raw.charAt(at++)));
            }
        }
        return plain.toString();
    }

    private static char unescape(char kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }

    /// Appends a string with its quotes. Half a surrogate pair is written as an escape, so that the output is
    /// valid UTF-8.
    static void quote(StringBuilder to, String text) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ' || c == 0x7F || isLoneSurrogate(text, i)) {
                unicode(to, c);
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    private static void unicode(StringBuilder to, char c) {
        to.append("\\u")
                .append(HEX[c >> 12])
                .append(HEX[c >> 8 & 15])
                .append(HEX[c >> 4 & 15])
                .append(HEX[c & 15]);
    }
}
