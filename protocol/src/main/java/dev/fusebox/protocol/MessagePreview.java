package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The id and the method of a message, as far as its first and last bytes show them: of a message that is too long
/// nothing else is kept. Nothing in it has been validated. Immutable, thread-safe; never blocks.
public final class MessagePreview {
    /// The id as the last member, or as the last one before the version. A quote after a backslash is part of a
    /// name.
    private static final Pattern ID_AT_END = Pattern.compile("(?<!\\\\)\"id\"\\s*:\\s*"
            + "(\"(?:[^\"\\\\]|\\\\.)*+\"|-?\\d[^\\s,}\"]*+)\\s*(?:,\\s*\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*)?}\\s*$");

    /// The id is within so many bytes of either end, unless a peer hides it.
    private static final int SEEN_BYTES = 4 << 10;

    private final byte[] head;
    private int at;
    private @Nullable RequestId id;
    private @Nullable String method;
    private boolean asks;
    private boolean answers;

    private MessagePreview(byte[] head) {
        this.head = head;
    }

    /// Looks at both ends of a message that is present but cannot be read.
    public static MessagePreview of(byte[] buffer, int from, int to) {
        byte[] head = Arrays.copyOfRange(buffer, from, Math.min(to, from + SEEN_BYTES));
        return of(head, Arrays.copyOfRange(buffer, Math.max(from, to - SEEN_BYTES), to));
    }

    /// Looks at the first bytes and the last ones.
    public static MessagePreview of(byte[] head, byte[] tail) {
        MessagePreview preview = new MessagePreview(head);
        preview.readHead();
        if (preview.id == null) {
            preview.readTail(tail);
        }
        return preview;
    }

    /// The id of the response or of the request; null if it is not visible.
    public @Nullable RequestId id() {
        return id;
    }

    /// The method; null if it is not visible.
    public @Nullable String method() {
        return method;
    }

    /// Whether it has a method: a request, or a notification if there is no id.
    public boolean asks() {
        return asks;
    }

    /// Whether it has a result or an error, and no method.
    public boolean answers() {
        return answers && !asks;
    }

    private void readTail(byte[] tail) {
        Matcher matcher = ID_AT_END.matcher(new String(tail, StandardCharsets.ISO_8859_1));
        if (matcher.find()) {
            id = idIn(tail, matcher.start(1), matcher.end(1));
        }
    }

    private static @Nullable String textIn(byte[] text, int from, int to) {
        try {
            return JsonView.parse(text, from, to).string();
        } catch (JsonSyntaxError noValue) {
            return null;
        }
    }

    private static @Nullable RequestId idIn(byte[] text, int from, int to) {
        try {
            return RequestId.read(JsonView.parse(text, from, to));
        } catch (JsonSyntaxError noValue) {
            return null;
        }
    }

    // ---- Members of the outermost object, as far as they are there

    private void readHead() {
        if (!take('{')) {
            return;
        }
        boolean more = true;
        while (more) {
            space();
            int name = at;
            if (!skipString() || !isMember(new String(head, name, at - name, StandardCharsets.ISO_8859_1))) {
                return;
            }
            more = take(',');
        }
    }

    /// Returns false if the value is cut off.
    private boolean isMember(String name) {
        if (!take(':')) {
            return false;
        }
        space();
        asks |= name.equals("\"method\"");
        answers |= name.equals("\"result\"") || name.equals("\"error\"");
        int value = at;
        boolean whole = skipValue();
        if (whole && name.equals("\"id\"")) {
            id = idIn(head, value, at);
        }
        if (whole && name.equals("\"method\"")) {
            method = textIn(head, value, at);
        }
        return whole;
    }

    private boolean take(char wanted) {
        space();
        boolean found = at < head.length && head[at] == wanted;
        at += found ? 1 : 0;
        return found;
    }

    private void space() {
        while (at < head.length && isSpace(head[at])) {
            at++;
        }
    }

    private static boolean isSpace(byte next) {
        return next == ' ' || next == '\t' || next == '\r' || next == '\n';
    }

    private boolean skipString() {
        if (at >= head.length || head[at] != '"') {
            return false;
        }
        at++;
        while (at < head.length && head[at] != '"') {
            at += head[at] == '\\' ? 2 : 1;
        }
        at++;
        return at <= head.length;
    }

    private boolean skipValue() {
        if (at < head.length && head[at] == '"') {
            return skipString();
        }
        int depth = 0;
        while (at < head.length) {
            byte next = head[at];
            if (depth == 0 && (next == ',' || next == '}')) {
                return true;
            }
            depth += next == '{' || next == '[' ? 1 : next == '}' || next == ']' ? -1 : 0;
            if (next != '"') {
                at++;
            } else if (!skipString()) {
                return false;
            }
        }
        return false;
    }
}
