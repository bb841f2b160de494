package dev.fusebox.client.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/// An answer over HTTP whose body is still to be read. Closing gives the line back if that is possible. Not
/// thread-safe; reading blocks until the [RequestTimer] of the exchange cuts it.
final class StreamingResponse implements Closeable {
    private static final int STEP = 16 << 10;

    private final ResponseHead head;
    private final ResponseBody body;
    private final int maxBytes;
    private final Return line;
    private @Nullable InputStream content;

    /// What becomes of the line when nobody reads any more.
    interface Return {
        /// It may carry another request.
        void giveBack();

        /// It may not.
        void cut();
    }

    StreamingResponse(ResponseHead head, ResponseBody body, int maxBytes, Return line) {
        this.head = head;
        this.body = body;
        this.maxBytes = maxBytes;
        this.line = line;
    }

    int status() {
        return head.status();
    }

    ResponseHeaders responseHeaders() {
        return head.responseHeaders();
    }

    /// The media type in small letters, without parameters; empty if there is none.
    String type() {
        String value = head.responseHeaders().only("content-type");
        return value == null ? "" : value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    boolean isJson() {
        String type = type();
        return type.equals("application/json") || type.endsWith("+json");
    }

    /// Whether what was asked for comes as a stream of events.
    boolean isStream() {
        return status() == 200 && type().equals(ProtocolHeaders.EVENTS);
    }

    /// The body, unpacked.
    InputStream content() throws IOException {
        if (content == null) {
            content = unpacked();
        }
        return content;
    }

    private InputStream unpacked() throws IOException {
        String coding = head.responseHeaders().only("content-encoding");
        return switch (coding == null ? "identity" : coding.toLowerCase(Locale.ROOT)) {
            case "identity" -> body;
            case "gzip", "x-gzip" -> new GZIPInputStream(body, STEP);
            case "deflate" -> new InflaterInputStream(body);
            default -> throw new MalformedResponse("unsupported Content-Encoding");
        };
    }

    /// All of the body.
    byte[] bytes() throws IOException {
        byte[] all = first(maxBytes + 1);
        if (all.length > maxBytes) {
            throw new TooLarge(maxBytes);
        }
        return all;
    }

    /// As much of the body, at most.
    byte[] first(int most) throws IOException {
        InputStream from = content();
        // A length is only told: what is not there yet gets no more room than a step. One more, to see the end.
        byte[] all = new byte[(int) Math.min(Math.min(most, STEP), body.leftOr(STEP) + 1)];
        int length = 0;
        int count = from.read(all, 0, all.length);
        while (count > 0) {
            length += count;
            if (length == all.length) {
                int next = (int) Math.min(most, 2L * length);
                MemoryExhausted.unlessFor(next, length);
                all = Arrays.copyOf(all, next);
            }
            count = length == all.length ? -1 : from.read(all, length, all.length - length);
        }
        return length == all.length ? all : Arrays.copyOf(all, length);
    }

    /// More came than is let in.
    static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1;

        private final int limit;

        TooLarge(int limit) {
            super("more than " + limit + " bytes");
            this.limit = limit;
        }

        int limit() {
            return limit;
        }
    }

    /// Gives the line up, because something on it went wrong, or goes on for too long.
    void cut() {
        line.cut();
    }

    @Override
    public void close() {
        line.giveBack();
    }
}
