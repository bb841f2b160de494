package dev.fusebox.client.http;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Parser of server-sent events (HTML standard, section 9.2.6): lines may end in CR, LF or both, comments are
/// ignored, and an event is complete with its empty line. Not thread-safe; [#next] blocks.
final class SseReader {
    private static final int BUFFER_BYTES = 8 << 10;
    private static final int MAX_ID_LENGTH = 1 << 10;

    /// The longest delay, regardless of the server's request.
    private static final long LONGEST_RETRY_MILLIS = 30_000;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int reserved;
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

    /// The bytes of one line, accessible without a copy.
    private static final class Text extends ByteArrayOutputStream {
        byte[] bytes() {
            return buf;
        }
    }

    /// One non-empty event.
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
        this(in, maxBytes, BUFFER_BYTES);
    }

    /// @param reserved memory that an earlier reader has reserved for the same call
    SseReader(InputStream in, int maxBytes, int reserved) {
        this.in = in;
        this.maxBytes = maxBytes;
        this.reserved = reserved;
    }

    /// How long an event may become before more memory must be reserved.
    int reserved() {
        return reserved;
    }

    /// The id of the last complete event; null if there was none that can be sent back.
    @Nullable
    String lastId() {
        return lastId;
    }

    /// The reconnection delay that the server asked for, at most half a minute; negative if it did not.
    long retryMillis() {
        return retryMillis;
    }

    /// The next event; null at the end of the stream, where an incomplete event is discarded.
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
            if (afterReturn && buffer[at] == '\n') {
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
        int count = in.read(buffer, 0, BUFFER_BYTES);
        at = 0;
        end = Math.max(count, 0);
        return count > 0;
    }

    /// Takes the buffered part of the line; true if that was its end.
    private boolean toEndOfLine() throws IOException {
        int from = at;
        while (at < end && buffer[at] != '\n' && buffer[at] != '\r') {
            at++;
        }
        keep(from);
        if (at == end) {
            return false;
        }
        afterReturn = buffer[at++] == '\r';
        return true;
    }

    /// A comment may be endless, so only its colon is kept.
    private void keep(int from) throws IOException {
        boolean isComment = text.size() > 0 ? text.bytes()[0] == ':' : from < at && buffer[from] == ':';
        int count = isComment ? Math.min(1 - text.size(), at - from) : at - from;
        int length = data.size() + text.size() + count;
        if (length > maxBytes) {
            throw new StreamingResponse.TooLarge(maxBytes);
        }
        if (length > reserved) {
            int next = (int) Math.min(maxBytes, 2L * length);
            MemoryExhausted.unlessFor(next, reserved);
            reserved = next;
        }
        text.write(buffer, from, Math.max(0, count));
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

    /// An id that cannot be sent in a header is ignored.
    private static @Nullable String id(String text) {
        return text.length() <= MAX_ID_LENGTH && HeaderValueEncoding.isVisible(text) ? text : null;
    }

    private void retry(String digits) {
        if (digits.matches("[0-9]{1,9}")) {
            retryMillis = Math.min(Long.parseLong(digits), LONGEST_RETRY_MILLIS);
        }
    }
}
