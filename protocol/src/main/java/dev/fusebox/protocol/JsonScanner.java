package dev.fusebox.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Strict JSON validator (RFC 8259, valid UTF-8, bounded depth, bounded numbers) that makes one pass without
/// recursion; also skips over validated text. The static methods are thread-safe; nothing blocks.
///
/// Strings are read eight bytes at a time, because results can have several megabytes.
final class JsonScanner {
    /// The longest plausible number; a longer one is an attack on the next parser.
    private static final int LONGEST_NUMBER = 1_000;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final byte[] text;
    private final int end;
    private final int maxDepth;
    private final long[] objects;
    private int at;

    private JsonScanner(byte[] text, int from, int end, int maxDepth) {
        this.text = text;
        this.at = from;
        this.end = end;
        this.maxDepth = maxDepth;
        this.objects = new long[maxDepth / Long.SIZE + 1];
    }

    /// Checks that the range contains exactly one JSON value, with optional white space around it, and returns the
    /// value's own range without that space.
    static JsonView check(byte[] text, int from, int to, int maxDepth) throws JsonSyntaxError {
        JsonScanner scanner = new JsonScanner(text, from, to, maxDepth);
        scanner.space();
        int start = scanner.at;
        scanner.value();
        int valueEnd = scanner.at;
        scanner.space();
        if (scanner.at != to) {
            throw scanner.fault("more text after the value");
        }
        return new JsonView(text, start, valueEnd);
    }

    // ---- Structure

    /// One value with its content. Open brackets are bits: one for an object, zero for an array.
    private void value() throws JsonSyntaxError {
        int depth = 0;
        while (true) {
            byte first = peek("a value");
            if (first == '{' || first == '[') {
                depth = open(depth, first == '{');
                if (!closes(first == '{')) {
                    beforeValue(first == '{');
                    continue;
                }
                depth--;
            } else {
                scalar(first);
            }
            depth = close(depth);
            if (depth == 0) {
                return;
            }
        }
    }

    private int open(int depth, boolean object) throws JsonSyntaxError {
        if (depth == maxDepth) {
            throw fault("nested deeper than " + maxDepth);
        }
        long bit = 1L << depth;
        int word = depth / Long.SIZE;
        objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
        at++;
        space();
        return depth + 1;
    }

    private boolean closes(boolean object) throws JsonSyntaxError {
        if (peek("a value or the end") == (object ? '}' : ']')) {
            at++;
            return true;
        }
        return false;
    }

    /// After a value: closes every bracket that ends here, and moves to the next value if there is one.
    private int close(int depth) throws JsonSyntaxError {
        int open = depth;
        while (open > 0) {
            boolean object = ((objects[(open - 1) / Long.SIZE] >>> (open - 1)) & 1) != 0;
            space();
            byte next = peek("a comma or the end");
            at++;
            if (next == ',') {
                space();
                beforeValue(object);
                return open;
            }
            if (next != (object ? '}' : ']')) {
                throw faultAt(at - 1, "expected a comma or the end");
            }
            open--;
        }
        return open;
    }

    private void beforeValue(boolean object) throws JsonSyntaxError {
        if (object) {
            if (peek("a name") != '"') {
                throw fault("expected a name in quotes");
            }
            string();
            space();
            if (peek("a colon") != ':') {
                throw fault("expected a colon");
            }
            at++;
            space();
        }
    }

    private void scalar(byte first) throws JsonSyntaxError {
        switch (first) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void word(String word) throws JsonSyntaxError {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= end || text[at + i] != word.charAt(i)) {
                throw fault("expected a value");
            }
        }
        at += word.length();
    }

    private void number() throws JsonSyntaxError {
        int start = at;
        if (at < end && text[at] == '-') {
            at++;
        }
        if (at < end && text[at] == '0') {
            at++;
        } else {
            digits("expected a value");
        }
        if (at < end && text[at] == '.') {
            at++;
            digits("expected a digit after the point");
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits("expected a digit of the exponent");
        }
        if (at - start > LONGEST_NUMBER) {
            throw faultAt(start, "a number longer than " + LONGEST_NUMBER + " characters");
        }
    }

    private void digits(String otherwise) throws JsonSyntaxError {
        int start = at;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        if (at == start) {
            throw fault(otherwise);
        }
    }

    private void space() {
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    // ---- Strings

    private void string() throws JsonSyntaxError {
        at++;
        while (true) {
            at = skipPlain(text, at, end);
            byte b = peek("the end of a string");
            if (b == '"') {
                at++;
                return;
            }
            if (b == '\\') {
                escape();
            } else if (b < 0) {
                at = Utf8.skipCharacter(text, at, end);
            } else if (b < ' ') {
                throw fault("a control character in a string");
            } else {
                at++;
            }
        }
    }

    private void escape() throws JsonSyntaxError {
        at++;
        byte kind = peek("an escape");
        at++;
        switch (kind) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {}
            case 'u' -> hexDigits();
            default -> throw faultAt(at - 1, "an unknown escape");
        }
    }

    private void hexDigits() throws JsonSyntaxError {
        for (int i = 0; i < 4; i++) {
            if (Character.digit(peek("four hexadecimal digits"), 16) < 0) {
                throw fault("expected a hexadecimal digit");
            }
            at++;
        }
    }

    /// The first position from here on that is not a plain character: a quote, a backslash, a control character or
    /// a non-ASCII byte. Works on eight bytes at a time: a subtraction borrows from every byte that is too small,
    /// which marks it.
    private static int skipPlain(byte[] text, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end) {
            long bytes = (long) EIGHT_BYTES.get(text, at);
            long quote = bytes ^ ONES * '"';
            long backslash = bytes ^ ONES * '\\';
            long special = ((quote - ONES) & ~quote)
                    | ((backslash - ONES) & ~backslash)
                    | ((bytes - ONES * ' ') & ~bytes)
                    | bytes;
            long marks = special & HIGHS;
            if (marks != 0) {
                return at + Long.numberOfTrailingZeros(marks) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        while (at < end && text[at] >= ' ' && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    // ---- Skipping text that was checked

    /// The end of the checked value that starts here.
    static int skip(byte[] text, int from) {
        int at = from;
        int depth = 0;
        do {
            byte b = text[at];
            if (b == '"') {
                at = skipString(text, at);
                continue;
            }
            at++;
            if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            } else if (depth == 0) {
                return skipWord(text, at);
            }
        } while (depth > 0);
        return at;
    }

    /// The end of the checked string that starts here, quotes included.
    static int skipString(byte[] text, int from) {
        int at = from + 1;
        while (true) {
            at = skipPlain(text, at, text.length);
            byte b = text[at];
            if (b == '"') {
                return at + 1;
            }
            at += b == '\\' ? 2 : 1;
        }
    }

    private static int skipWord(byte[] text, int from) {
        int at = from;
        while (at < text.length && isPartOfWord(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isPartOfWord(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || b == '.' || b == '+' || b == '-' || b == 'E';
    }

    static int skipSpace(byte[] text, int from) {
        int at = from;
        while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            at++;
        }
        return at;
    }

    // ---- Faults

    private byte peek(String expected) throws JsonSyntaxError {
        if (at >= end) {
            throw fault("the text ends before " + expected);
        }
        return text[at];
    }

    private JsonSyntaxError fault(String what) {
        return faultAt(at, what);
    }

    private static JsonSyntaxError faultAt(int offset, String what) {
        return new JsonSyntaxError(offset, what);
    }
}
