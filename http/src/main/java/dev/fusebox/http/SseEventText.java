package dev.fusebox.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The encoding of one server-sent event, as the HTML standard defines it. Not thread-safe.
final class SseEventText {
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    /// Eight hexadecimal digits and a line end: enough for the size of every array.
    private static final int SIZE_LINE = 10;

    private byte[] bytes;
    private int length = SIZE_LINE;

    private SseEventText(int expected) {
        bytes = new byte[SIZE_LINE + expected + 2];
    }

    static SseEventText event(@Nullable String id, byte[] data) {
        var text = new SseEventText(data.length + 40);
        if (id != null) {
            text.field("id: ", id);
        }
        text.data(data);
        return text;
    }

    static SseEventText named(String name, byte[] data) {
        var text = new SseEventText(data.length + 40);
        text.field("event: ", name);
        text.data(data);
        return text;
    }

    static SseEventText comment() {
        var text = new SseEventText(3);
        text.append(":\n\n");
        return text;
    }

    static SseEventText retry(long millis) {
        var text = new SseEventText(32);
        text.field("retry: ", Long.toString(millis));
        text.append("\n");
        return text;
    }

    /// The end of the stream: nothing as text, the last chunk in chunks.
    static SseEventText end() {
        return new SseEventText(0);
    }

    byte[] bytes() {
        return Arrays.copyOfRange(bytes, SIZE_LINE, length);
    }

    /// The same as one chunk (RFC 9112, 7.1), its size written into the reserved bytes before it.
    byte[] chunk() {
        int size = length - SIZE_LINE;
        if (size == 0) {
            return LAST_CHUNK;
        }
        append("\r\n");
        int start = SIZE_LINE;
        bytes[--start] = '\n';
        bytes[--start] = '\r';
        for (int rest = size; rest > 0; rest >>>= 4) {
            bytes[--start] = HEX[rest & 15];
        }
        return Arrays.copyOfRange(bytes, start, length);
    }

    private void field(String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("invalid event field: it contains a line end or a NUL");
        }
        append(name);
        append(value);
        append("\n");
    }

    /// A line end inside the data would end the field: each line becomes a field of its own.
    private void data(byte[] data) {
        int start = 0;
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\n' || data[i] == '\r') {
                line(data, start, i);
                boolean isPair = data[i] == '\r' && i + 1 < data.length && data[i + 1] == '\n';
                i += isPair ? 1 : 0;
                start = i + 1;
            }
        }
        line(data, start, data.length);
        append("\n");
    }

    private void line(byte[] data, int start, int end) {
        append("data: ");
        append(data, start, end);
        append("\n");
    }

    private void append(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        append(utf8, 0, utf8.length);
    }

    private void append(byte[] from, int start, int end) {
        int count = end - start;
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
        System.arraycopy(from, start, bytes, length, count);
        length += count;
    }
}
