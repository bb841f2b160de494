package dev.fusebox.gateway.result;

/// How much text fits into a result, or how much room a text needs there. Immutable.
///
/// @param bytes in UTF-8
/// @param written in a JSON string of the gateway, without its quotes
record TextBudget(long bytes, long written) {
    /// The room that a text needs.
    static TextBudget of(String text) {
        long bytes = 0;
        long written = 0;
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            bytes += bytes(codePoint);
            written += written(codePoint);
            at += Character.charCount(codePoint);
        }
        return new TextBudget(bytes, written);
    }

    /// The end of the longest piece of a text from here that fits, between two code points.
    int reach(String text, int from) {
        long bytesUsed = 0;
        long writtenUsed = 0;
        int at = from;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            bytesUsed += bytes(codePoint);
            writtenUsed += written(codePoint);
            if (bytesUsed > bytes || writtenUsed > written) {
                return at;
            }
            at += Character.charCount(codePoint);
        }
        return at;
    }

    /// Whether there is room for this.
    boolean covers(TextBudget need) {
        return need.bytes <= bytes && need.written <= written;
    }

    TextBudget minus(TextBudget used) {
        return new TextBudget(bytes - used.bytes, written - used.written);
    }

    TextBudget plus(TextBudget other) {
        return new TextBudget(bytes + other.bytes, written + other.written);
    }

    /// Half a surrogate pair, which UTF-8 cannot represent, counts as the character that often replaces it.
    private static int bytes(int codePoint) {
        return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }

    /// As [dev.fusebox.protocol.JsonWriter] writes it.
    private static int written(int codePoint) {
        if (codePoint == '"' || codePoint == '\\') {
            return 2;
        }
        boolean isEscaped = codePoint < ' '
                || codePoint == 0x7F
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
        return isEscaped ? 6 : bytes(codePoint);
    }
}
