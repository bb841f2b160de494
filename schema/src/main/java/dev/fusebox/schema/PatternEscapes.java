package dev.fusebox.schema;

/// Escape sequences of ECMAScript patterns, and their equivalents in Java. Pure functions.
final class PatternEscapes {
    private static final String SPACES = "\\s\\x{b}\\x{feff}\\p{Z}";

    private PatternEscapes() {}

    /// The length in characters of the escape that begins there.
    static int length(String text, int at) {
        char kind = text.charAt(at + 1);
        return switch (kind) {
            case 'c' -> whole(text, at, 3);
            case 'x' -> whole(text, at, 4);
            case 'u' -> text.startsWith("{", at + 2) ? braced(text, at) : whole(text, at, 6);
            case 'p', 'P' -> braced(text, at);
            default -> 1 + Character.charCount(text.codePointAt(at + 1));
        };
    }

    private static int whole(String text, int at, int length) {
        if (at + length > text.length()) {
            throw new CheckAbandoned("a pattern has an incomplete escape");
        }
        return length;
    }

    private static int braced(String text, int at) {
        int end = text.indexOf('}', at);
        if (!text.startsWith("{", at + 2) || end < 0) {
            throw new CheckAbandoned("a pattern has an escape without {}");
        }
        return end + 1 - at;
    }

    /// The equivalent in Java, inside or outside of brackets.
    static String inJava(String escape) {
        char kind = escape.charAt(1);
        return switch (kind) {
            case 's' -> "[" + SPACES + "]";
            case 'S' -> "[^" + SPACES + "]";
            case 'v' -> "\\x{b}";
            case '0' -> "\\x{0}";
            case 'b' -> "\\x{8}";
            case 'x' -> "\\x{" + escape.substring(2) + "}";
            case 'u' -> unicode(escape.substring(2));
            case 'd', 'D', 'w', 'W', 'f', 'n', 'r', 't', 'c', 'p', 'P' -> escape;
            default -> literal(escape.substring(1));
        };
    }

    private static String unicode(String hex) {
        String digits = hex.startsWith("{") ? hex.substring(1, hex.length() - 1) : hex;
        if (digits.matches("(?i)d[89a-f]..")) {
            throw new CheckAbandoned("a pattern has an unpaired surrogate");
        }
        return "\\x{" + digits + "}";
    }

    private static String literal(String character) {
        if (Character.isLetterOrDigit(character.codePointAt(0))) {
            throw new CheckAbandoned("a pattern has the unsupported escape \\" + character);
        }
        return "\\" + character;
    }
}
