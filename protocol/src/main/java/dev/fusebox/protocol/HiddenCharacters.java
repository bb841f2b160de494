package dev.fusebox.protocol;

/// Filter of hidden characters in untrusted text: control characters and escape sequences, format characters that
/// hide text or change its direction, tags, fillers. Line feeds and tabs are kept. Stateless, thread-safe; never
/// blocks.
public final class HiddenCharacters {
    private static final int HEX = 16;
    private static final int ESCAPE_LENGTH = 6;

    private HiddenCharacters() {}

    /// The text without hidden characters; the same object if there are none.
    public static String of(String text) {
        if (!hasHidden(text)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().filter(each -> !isHidden(each)).forEach(visible::appendCodePoint);
        return visible.toString();
    }

    /// The text without hidden characters, on one line.
    public static String line(String text) {
        return of(text).replace('\n', ' ').replace('\t', ' ').strip();
    }

    /// Whether the text has hidden characters.
    public static boolean hasHidden(String text) {
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each < ' ' || each > '~') {
                return text.codePoints().anyMatch(HiddenCharacters::isHidden);
            }
        }
        return false;
    }

    /// The JSON value without hidden characters in names and strings, escaped or not.
    public static String json(JsonView value) {
        return json(value.json());
    }

    /// The same for JSON that the gateway wrote and that contains untrusted text.
    public static String json(String json) {
        return hasHiddenIn(json) ? withoutHidden(json) : json;
    }

    /// Whether a name or a string in the JSON value has hidden characters.
    public static boolean hasHidden(JsonView value) {
        String json = value.json();
        return hasHiddenIn(json) && !withoutHidden(json).equals(json);
    }

    /// A quick check that may return true for JSON without hidden characters. White space between values does not
    /// count.
    private static boolean hasHiddenIn(String json) {
        for (int at = 0; at < json.length(); at++) {
            char each = json.charAt(at);
            if (each == '\\' || each > '~') {
                return true;
            }
        }
        return false;
    }

    /// The value has been validated, so every escape is complete.
    private static String withoutHidden(String json) {
        StringBuilder visible = new StringBuilder(json.length());
        int at = 0;
        while (at < json.length()) {
            int end = next(json, at);
            boolean isSpace = end == at + 1 && json.charAt(at) < ' ';
            if (isSpace || !isHidden(character(json, at, end))) {
                visible.append(json, at, end);
            }
            at = end;
        }
        return visible.toString();
    }

    /// The end of the character at this position, which may be written as one or two escapes.
    private static int next(String json, int at) {
        if (json.charAt(at) != '\\') {
            return json.offsetByCodePoints(at, 1);
        }
        if (json.charAt(at + 1) != 'u') {
            return at + 2;
        }
        int end = at + ESCAPE_LENGTH;
        boolean isPair = Character.isHighSurrogate((char) escaped(json, at))
                && json.startsWith("\\u", end)
                && Character.isLowSurrogate((char) escaped(json, end));
        return isPair ? end + ESCAPE_LENGTH : end;
    }

    private static int escaped(String json, int at) {
        return Integer.parseInt(json, at + 2, at + ESCAPE_LENGTH, HEX);
    }

    private static int character(String json, int from, int to) {
        if (json.charAt(from) != '\\') {
            return json.codePointAt(from);
        }
        return switch (json.charAt(from + 1)) {
            case 'u' ->
                to - from > ESCAPE_LENGTH
                        ? Character.toCodePoint((char) escaped(json, from), (char) escaped(json, from + ESCAPE_LENGTH))
                        : escaped(json, from);
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'r' -> '\r';
            default -> ' ';
        };
    }

    private static boolean isHidden(int each) {
        return switch (Character.getType(each)) {
            case Character.CONTROL -> each != '\n' && each != '\t';
            case Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            case Character.UNASSIGNED, Character.PRIVATE_USE -> isTag(each);
            default -> isFiller(each);
        };
    }

    /// A character of the block "Tags" or beyond, which renderers ignore (Unicode 16, section 23.9).
    private static boolean isTag(int each) {
        return each >= 0xE0000 && each <= 0xE0FFF;
    }

    /// Letters and marks without a visible shape (Unicode 16, property Default_Ignorable_Code_Point), except the
    /// two variation selectors of emoji.
    private static boolean isFiller(int each) {
        boolean isVariation = (each >= 0xFE00 && each <= 0xFE0D) || isTag(each);
        return isVariation
                || switch (each) {
                    case 0x034F,
                            0x115F,
                            0x1160,
                            0x17B4,
                            0x17B5,
                            0x180B,
                            0x180C,
                            0x180D,
                            0x180F,
                            0x2800,
                            0x3164,
                            0xFFA0 -> true;
                    default -> false;
                };
    }
}
