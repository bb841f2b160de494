package dev.fusebox.client.http;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads server-sent events (HTML standard, section 9.2.6) off a stream: lines may end in CR, LF or both, comments
/// mean nothing, and an event counts only once its empty line has come. Not thread-safe.
final class SseReader {
    private static final int STEP = 8 << 10;
    private static final int MOST_ID = 1 << 10;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] step = new byte[STEP];
    private int room;
    private int at;
    private int end;
    private boolean afterReturn;
    private boolean isFirstLine = true;

    private final Text text = new Text();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private boolean hasData;
    private String type = "";
    private @Nullable String id;
    private @Nullable String lastId;
    private long retryMillis = -1;

    /// The bytes of one line, without a copy when they are looked at.
    private static final class Text extends ByteArrayOutputStream {
        byte[] bytes() {
            return buf;
        }
    }

    /// One event that has something in it.
    static final class Event {
        private final String type;
        private final byte[] data;

        /// @param type empty if the server gave none
        Event(String type, byte[] data) {
            this.type = type;
            this.data = data;
        }

        String type() {
            return type;
        }

        /// Not a copy.
        byte[] data() {
            return data;
        }

        boolean isMessage() {
            return type.isEmpty() || type.equals("message");
        }
    }

    SseReader(InputStream in, int maxBytes) {
        this(in, maxBytes, STEP);
    }

    /// @param room that a reader before this one has taken for the same call
    SseReader(InputStream in, int maxBytes, int room) {
        this.in = in;
        this.maxBytes = maxBytes;
        this.room = room;
    }

    /// How long an event may become before more room is needed.
    int room() {
        return room;
    }

    /// The id of the last whole event; null if none had one that can be sent back.
    @Nullable
    String lastId() {
        return lastId;
    }

    /// How long the server wants us to wait before we come back; negative if it did not say.
    long retryMillis() {
        return retryMillis;
    }

    /// The next event; null at the end of the stream, where half an event is none.
    @Nullable
    Event next() throws IOException {
        while (line()) {
            if (text.size() > 0) {
                field();
                continue;
            }
            lastId = id;
            Event event = hasData && data.size() > 0 ? new Event(type, data.toByteArray()) : null;
            data.reset();
            hasData = false;
            type = "";
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    // ---- Lines

    /// Reads one line without its end; false at the end of the stream.
    private boolean line() throws IOException {
        text.reset();
        while (at < end || fill()) {
            if (afterReturn && step[at] == '\n') {
                at++;
                afterReturn = false;
                continue;
            }
            afterReturn = false;
            if (toEndOfLine()) {
                return true;
            }
        }
        return false;
    }

    private boolean fill() throws IOException {
        int count = in.read(step, 0, STEP);
        at = 0;
        end = Math.max(count, 0);
        return count > 0;
    }

    /// Takes what there is of the line; true if that was its end.
    private boolean toEndOfLine() throws IOException {
        int from = at;
        while (at < end && step[at] != '\n' && step[at] != '\r') {
            at++;
        }
        keep(from);
        if (at == end) {
            return false;
        }
        afterReturn = step[at++] == '\r';
        return true;
    }

    /// A comment may go on for ever: nothing of it is kept but its colon.
    private void keep(int from) throws IOException {
        boolean isComment = text.size() > 0 ? text.bytes()[0] == ':' : from < at && step[from] == ':';
        int count = isComment ? Math.min(1 - text.size(), at - from) : at - from;
        int length = data.size() + text.size() + count;
        if (length > maxBytes) {
            throw new StreamingResponse.TooLarge(maxBytes);
        }
        if (length > room) {
            int next = (int) Math.min(maxBytes, 2L * length);
            MemoryExhausted.unlessFor(next, room);
            room = next;
        }
        text.write(step, from, Math.max(0, count));
    }

    // ---- Fields

    private void field() {
        byte[] bytes = text.bytes();
        int length = text.size();
        int from = isFirstLine && startsWithMark(bytes, length) ? BYTE_ORDER_MARK.length : 0;
        isFirstLine = false;
        int colon = from;
        while (colon < length && bytes[colon] != ':') {
            colon++;
        }
        int value = Math.min(length, colon + 1);
        if (value < length && bytes[value] == ' ') {
            value++;
        }
        take(new String(bytes, from, colon - from, StandardCharsets.UTF_8), bytes, value, length);
    }

    private static boolean startsWithMark(byte[] bytes, int length) {
        int marked = BYTE_ORDER_MARK.length;
        return length >= marked && Arrays.equals(bytes, 0, marked, BYTE_ORDER_MARK, 0, marked);
    }

    private void take(String name, byte[] bytes, int from, int to) {
        switch (name) {
            case "data" -> {
                if (hasData) {
                    data.write('\n');
                }
                hasData = true;
                data.write(bytes, from, to - from);
            }
            case "event" -> type = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            case "id" -> id = id(new String(bytes, from, to - from, StandardCharsets.UTF_8));
            case "retry" -> retry(new String(bytes, from, to - from, StandardCharsets.UTF_8));
            default -> {}
        }
    }

    /// One that cannot stand in a header cannot be sent back, so it is as good as none.
    private static @Nullable String id(String text) {
        return text.length() <= MOST_ID && HeaderValueEncoding.isVisible(text) ? text : null;
    }

    private void retry(String digits) {
        if (digits.matches("[0-9]{1,9}")) {
            retryMillis = Long.parseLong(digits);
        }
    }
}
