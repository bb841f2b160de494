package dev.fusebox.config;

/// The text of a configuration file, and the line and column of each byte. Immutable; the bytes are not modified.
final class SourceText {
    private final String file;
    private final byte[] text;
    private final byte[] json;
    /// The positions of every n-th byte, so that thousands of problems in a long file cost no more than reading it
    /// once.
    private final Position[] milestones;

    /// @param file its name, for messages
    /// @param text its bytes
    /// @param json the same without comments, of the same length
    SourceText(String file, byte[] text, byte[] json) {
        this.file = file;
        this.text = text;
        this.json = json;
        this.milestones = milestones();
    }

    String file() {
        return file;
    }

    /// Without comments, of the same length as the text.
    byte[] json() {
        return json;
    }

    /// A line and a column, both from 1; the column counts characters.
    record Position(int line, int column) {
        /// For problems without a line, such as a missing file.
        static final Position NOWHERE = new Position(0, 0);
    }

    /// Of the byte order mark of UTF-8.
    private static final int MARK_LENGTH = 3;

    /// Bytes between two milestones.
    private static final int STRIDE = 4_096;

    static SourceText of(String file, byte[] text) {
        return new SourceText(file, text, Jsonc.of(text).json());
    }

    /// The position of a byte. A line ends with a line feed, a carriage return, or both.
    Position at(int offset) {
        if (offset < 0) {
            return Position.NOWHERE;
        }
        int end = Math.min(offset, text.length);
        int milestone = end / STRIDE;
        return walked(milestones[milestone], milestone * STRIDE, end);
    }

    private Position[] milestones() {
        Position[] found = new Position[text.length / STRIDE + 1];
        found[0] = new Position(1, 1);
        for (int i = 1; i < found.length; i++) {
            found[i] = walked(found[i - 1], (i - 1) * STRIDE, i * STRIDE);
        }
        return found;
    }

    private Position walked(Position from, int start, int end) {
        int line = from.line();
        int column = from.column();
        for (int i = Math.max(start, markLength(text)); i < end; i++) {
            if (endsLine(i)) {
                line++;
                column = 1;
            } else if ((text[i] & 0xC0) != 0x80) {
                // Not a later byte of a character, which has its column already.
                column++;
            }
        }
        return new Position(line, column);
    }

    private boolean endsLine(int i) {
        boolean isHalf = text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n';
        return text[i] == '\n' || (text[i] == '\r' && !isHalf);
    }

    /// The length of the UTF-8 byte order mark at the beginning; 0 if there is none.
    static int markLength(byte[] text) {
        return begins(text, 0xEF, 0xBB, 0xBF) ? MARK_LENGTH : 0;
    }

    /// Whether it is UTF-16 or UTF-32, which have zeros where JSON in UTF-8 has none, or a mark of their own.
    static boolean isWide(byte[] text) {
        boolean hasZero = text.length >= 2 && (text[0] == 0 || text[1] == 0);
        return hasZero || begins(text, 0xFE, 0xFF) || begins(text, 0xFF, 0xFE);
    }

    private static boolean begins(byte[] text, int... bytes) {
        if (text.length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if ((text[i] & 0xFF) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /// Where the name of the member begins whose value begins at `value`. Before a quote in a string stands an odd
    /// number of backslashes; before the one that begins it stands none.
    int nameBefore(int value) {
        int close = value - 1;
        while (json[close] != '"') {
            close--;
        }
        int open = close - 1;
        while (json[open] != '"' || backslashesBefore(open) % 2 == 1) {
            open--;
        }
        return open;
    }

    private int backslashesBefore(int at) {
        int first = at;
        while (first > 0 && json[first - 1] == '\\') {
            first--;
        }
        return at - first;
    }
}
