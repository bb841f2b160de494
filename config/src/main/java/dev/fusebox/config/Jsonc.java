package dev.fusebox.config;

/// JSON with comments and trailing commas, converted to plain JSON in place: the extra characters become blanks,
/// and all others keep their positions. Not thread-safe; used once.
public final class Jsonc {
    private final byte[] text;
    private int at;
    /// The position of a comma that only white space has followed so far; -1 if there is none.
    private int comma = -1;
    /// Whether an element precedes it. A comma after a bracket or another comma is no trailing comma.
    private boolean afterItem;
    private int unclosed = -1;

    private Jsonc(byte[] text) {
        this.text = text;
    }

    /// Converts a text to plain JSON.
    ///
    /// @param text in UTF-8, perhaps with a byte order mark; not modified
    public static Jsonc of(byte[] text) {
        Jsonc jsonc = new Jsonc(text.clone());
        jsonc.blank(0, SourceText.markLength(text));
        jsonc.run();
        return jsonc;
    }

    /// Of the same length.
    public byte[] json() {
        return text;
    }

    /// The start of an unterminated comment; -1 if there is none.
    public int unclosed() {
        return unclosed;
    }

    private void run() {
        while (at < text.length) {
            switch (text[at]) {
                case ' ', '\t', '\r', '\n' -> at++;
                case '"' -> string();
                case '/' -> slash();
                case ',' -> comma();
                case '}', ']' -> closing();
                default -> other();
            }
        }
    }

    private void comma() {
        comma = afterItem ? at : -1;
        afterItem = false;
        at++;
    }

    private void closing() {
        if (comma >= 0) {
            blank(comma, comma + 1);
        }
        comma = -1;
        afterItem = true;
        at++;
    }

    private void other() {
        comma = -1;
        afterItem = text[at] != '{' && text[at] != '[' && text[at] != ':';
        at++;
    }

    private void string() {
        comma = -1;
        afterItem = true;
        at++;
        while (at < text.length && text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    private void slash() {
        byte next = at + 1 < text.length ? text[at + 1] : 0;
        if (next == '/') {
            int end = at;
            while (end < text.length && text[end] != '\n' && text[end] != '\r') {
                end++;
            }
            blank(at, end);
        } else if (next == '*') {
            block();
        } else {
            other();
        }
    }

    private void block() {
        int end = at + 2;
        while (end + 1 < text.length && (text[end] != '*' || text[end + 1] != '/')) {
            end++;
        }
        if (end + 1 >= text.length) {
            unclosed = at;
        }
        blank(at, Math.min(end + 2, text.length));
    }

    /// Line ends are kept, so that line numbers do not change.
    private void blank(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] != '\n' && text[i] != '\r') {
                text[i] = ' ';
            }
        }
        at = Math.max(at, to);
    }
}
