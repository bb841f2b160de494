package dev.fusebox.client.http;

import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/// HTTP response whose body is still to be read. Closing it releases the connection for reuse if possible. Not
/// thread-safe; reads block until the [RequestTimer] of the exchange closes the connection.
final class StreamingResponse implements Closeable {
    private static final int STEP = 16 << 10;

    private final ResponseHead head;
    private final ResponseBody body;
    private final int maxBytes;
    private final Release release;
    private @Nullable InputStream content;
    private Authorization.Granted authorization = Authorization.NONE;

    /// Release of the connection after the response.
    interface Release {
        /// The connection may carry another request.
        void reuse();

        /// The connection must be closed.
        void abort();

        /// The connection carries another protocol from now on, and belongs to the caller.
        DuplexStream take();
    }

    StreamingResponse(ResponseHead head, ResponseBody body, int maxBytes, Release release) {
        this.head = head;
        this.body = body;
        this.maxBytes = maxBytes;
        this.release = release;
    }

    /// The authorization that its request was sent with.
    Authorization.Granted authorization() {
        return authorization;
    }

    void authorizedBy(Authorization.Granted used) {
        authorization = used;
    }

    int status() {
        return head.status();
    }

    ResponseHeaders responseHeaders() {
        return head.responseHeaders();
    }

    /// The media type in lower case, without parameters; empty if there is none.
    String type() {
        String value = head.responseHeaders().only("content-type");
        return value == null ? "" : value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    boolean isJson() {
        String type = type();
        return type.equals("application/json") || type.endsWith("+json");
    }

    /// Whether it is a successful event stream.
    boolean isStream() {
        return status() == 200 && type().equals(ProtocolHeaders.EVENTS);
    }

    /// The decompressed body.
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

    /// The whole body.
    byte[] bytes() throws IOException {
        byte[] all = first(maxBytes + 1);
        if (all.length > maxBytes) {
            throw new TooLarge(maxBytes);
        }
        return all;
    }

    /// The beginning of the body, up to the limit.
    byte[] first(int limit) throws IOException {
        InputStream from = content();
        // Content-Length is only a claim: the array grows by as much as has arrived, and never beyond the claim.
        byte[] all = new byte[(int) Math.min(Math.min(limit, STEP), announced(from))];
        int length = 0;
        while (length < limit) {
            if (length == all.length) {
                long rest = announced(from);
                if (rest == 0) {
                    return all;
                }
                int next = (int) Math.min(limit, length + Math.min(Math.max(length, STEP), rest));
                MemoryExhausted.unlessFor(next, length);
                all = Arrays.copyOf(all, next);
            }
            int count = from.read(all, length, all.length - length);
            if (count <= 0) {
                break;
            }
            length += count;
        }
        return length == all.length ? all : Arrays.copyOf(all, length);
    }

    /// The beginning of the body of a rejection, as far as it arrives and is readable: the status is known without
    /// it.
    byte[] readable(int limit) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] step = new byte[Math.min(limit, STEP)];
        try {
            InputStream from = content();
            int count = from.read(step);
            while (count > 0) {
                all.write(step, 0, count);
                count = from.read(step, 0, Math.min(limit - all.size(), step.length));
            }
        } catch (IOException rest) {
            abort();
        }
        return all.toByteArray();
    }

    /// Bytes still to come according to Content-Length; unlimited without one, and for compressed content.
    private long announced(InputStream from) {
        return from.equals(body) ? body.leftOr(Long.MAX_VALUE) : Long.MAX_VALUE;
    }

    /// The body exceeds the limit.
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

    /// Closes the connection, after an error, or because the body does not end.
    void abort() {
        release.abort();
    }

    /// Whether the server has switched to the protocol that the request named.
    boolean isUpgraded() {
        return status() == ResponseHead.SWITCHING_PROTOCOLS;
    }

    /// The connection after an upgrade. The response is no longer used.
    DuplexStream takeStream() {
        return release.take();
    }

    @Override
    public void close() {
        release.reuse();
    }
}
