package dev.fusebox.config.edit;

import java.nio.charset.StandardCharsets;

/// What stands between the items of a JSON text: space, line ends, comments, commas. Immutable.
final class JsonWhitespace {
    private final byte[] text;

    /// @param text not changed meanwhile
    JsonWhitespace(byte[] text) {
        this.text = text;
    }

    /// The first comma from here on that stands in no comment; -1 if something else comes first or the end.
    int comma(int from, int end) {
        int at = skipped(from, end);
        return at < end && text[at] == ',' ? at : -1;
    }

    /// The quote that begins the next name: behind space, comments and a comma.
    int quote(int from) {
        int at = skipped(from, text.length);
        return text[at] == ',' ? skipped(at + 1, text.length) : at;
    }

    /// Behind space and comments.
    private int skipped(int from, int end) {
        int at = from;
        while (at < end) {
            if (isSpace(at) || isLineEnd(at)) {
                at++;
            } else if (begins(at, "//")) {
                at = lineEnd(at);
            } else if (begins(at, "/*")) {
                at = comment(at);
            } else {
                return at;
            }
        }
        return end;
    }

    private int comment(int from) {
        int at = from + 2;
        while (at < text.length && !begins(at, "*/")) {
            at++;
        }
        return Math.min(at + 2, text.length);
    }

    private boolean begins(int at, String what) {
        byte[] bytes = what.getBytes(StandardCharsets.US_ASCII);
        return at + 1 < text.length && text[at] == bytes[0] && text[at + 1] == bytes[1];
    }

    private boolean isSpace(int at) {
        return text[at] == ' ' || text[at] == '\t';
    }

    private boolean isLineEnd(int at) {
        return text[at] == '\n' || text[at] == '\r';
    }

    /// Behind the last thing that can be seen in this range; its beginning if there is none.
    int lastInk(int from, int to) {
        int at = to;
        while (at > from && (isSpace(at - 1) || isLineEnd(at - 1))) {
            at--;
        }
        return at;
    }

    boolean isBlank(int from, int to) {
        return lastInk(from, to) == from;
    }

    boolean hasLineEnd(int from, int to) {
        for (int at = from; at < to; at++) {
            if (isLineEnd(at)) {
                return true;
            }
        }
        return false;
    }

    /// The space that the line of this place begins with.
    String margin(int of) {
        int start = lineStart(of);
        int end = start;
        while (end < of && isSpace(end)) {
            end++;
        }
        return new String(text, start, end - start, StandardCharsets.US_ASCII);
    }

    int lineStart(int of) {
        int at = of;
        while (at > 0 && !isLineEnd(at - 1)) {
            at--;
        }
        return at;
    }

    private int lineEnd(int from) {
        int at = from;
        while (at < text.length && !isLineEnd(at)) {
            at++;
        }
        return at;
    }

    boolean isFirstOnLine(int at) {
        return isBlank(lineStart(at), at);
    }

    /// Whether nothing but a comment that ends on it follows on the line.
    boolean isLastOnLine(int from) {
        int end = lineEnd(from);
        int at = afterSpace(from);
        if (at < end && begins(at, "/*")) {
            at = afterSpace(Math.min(comment(at), text.length));
        }
        return at == end || (at < end && begins(at, "//"));
    }

    /// Where the line after this one begins.
    int nextLine(int from) {
        int end = lineEnd(from);
        if (end + 1 < text.length && text[end] == '\r' && text[end + 1] == '\n') {
            return end + 2;
        }
        return Math.min(end + 1, text.length);
    }

    int afterSpace(int from) {
        int at = from;
        while (at < text.length && isSpace(at)) {
            at++;
        }
        return at;
    }
}
