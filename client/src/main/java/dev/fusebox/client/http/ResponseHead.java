package dev.fusebox.client.http;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Status line and headers of a response. Immutable.
///
/// @param isOfVersion10 whether the connection ends with the response by default
record ResponseHead(int status, boolean isOfVersion10, ResponseHeaders responseHeaders) {
    /// More than any server needs; ten thousand header fields are an attack.
    private static final int MAX_FIELDS = 200;
    /// Interim responses, such as 103: a few are normal.
    private static final int MAX_INTERIM = 8;

    static final int SWITCHING_PROTOCOLS = 101;

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?");
    private static final Pattern KEEP_ALIVE_TIMEOUT = Pattern.compile("timeout=([0-9]{1,6})", Pattern.CASE_INSENSITIVE);

    /// Reads the next final head, and skips interim responses.
    static ResponseHead read(HttpConnection httpConnection, int maxBytes) throws IOException {
        return read(httpConnection, maxBytes, false);
    }

    /// @param mayUpgrade whether the server may switch to another protocol, which ends HTTP on the connection
    static ResponseHead read(HttpConnection httpConnection, int maxBytes, boolean mayUpgrade) throws IOException {
        for (int i = 0; i < MAX_INTERIM; i++) {
            ResponseHead head = new Reader(httpConnection, maxBytes).head();
            boolean isSwitch = head.status == SWITCHING_PROTOCOLS;
            if (head.status >= 200 || (isSwitch && mayUpgrade)) {
                return head;
            }
            if (isSwitch) {
                throw new MalformedResponse("unexpected switch of protocols (HTTP 101)");
            }
        }
        throw new MalformedResponse("more than " + MAX_INTERIM + " interim responses");
    }

    /// Whether the connection can be used again after the body.
    boolean keepsConnection() {
        return !responseHeaders.lists("connection", "close")
                && (!isOfVersion10 || responseHeaders.lists("connection", "keep-alive"));
    }

    /// How long the server announced to keep the connection; null if it did not.
    @Nullable
    Long keepAliveSeconds() {
        for (String item :
                String.join(",", responseHeaders.values("keep-alive")).split(",", -1)) {
            Matcher timeout = KEEP_ALIVE_TIMEOUT.matcher(item.strip());
            if (timeout.matches()) {
                return Long.valueOf(timeout.group(1));
            }
        }
        return null;
    }

    /// Strict parser (RFC 9112): what two parsers interpret differently can hide one response in another.
    private static final class Reader {
        private final HttpConnection httpConnection;
        private final int maxBytes;
        private final StringBuilder text = new StringBuilder(128);
        private int total;

        Reader(HttpConnection httpConnection, int maxBytes) {
            this.httpConnection = httpConnection;
            this.maxBytes = maxBytes;
        }

        ResponseHead head() throws IOException {
            String status = text();
            if (!STATUS_LINE.matcher(status).matches()) {
                throw new MalformedResponse("invalid status line");
            }
            ResponseHeaders responseHeaders = new ResponseHeaders();
            for (String field = text(); !field.isEmpty(); field = text()) {
                add(field, responseHeaders);
            }
            return new ResponseHead(
                    Integer.parseInt(status.substring(9, 12)), status.charAt(7) == '0', responseHeaders);
        }

        private static void add(String field, ResponseHeaders responseHeaders) throws MalformedResponse {
            int colon = field.indexOf(':');
            String name = field.substring(0, Math.max(colon, 0));
            if (!HeaderValueEncoding.isToken(name)) {
                throw new MalformedResponse("header field without a name");
            }
            if (responseHeaders.count() == MAX_FIELDS) {
                throw new MalformedResponse("more than " + MAX_FIELDS + " header fields");
            }
            responseHeaders.add(name, field.substring(colon + 1).strip());
        }

        /// One line without its end.
        private String text() throws IOException {
            text.setLength(0);
            int b = next();
            while (b != '\r') {
                if (b == '\n' || b == 0) {
                    throw new MalformedResponse("control character in the header section");
                }
                text.append((char) b);
                b = next();
            }
            if (next() != '\n') {
                throw new MalformedResponse("CR without LF in the header section");
            }
            return text.toString();
        }

        private int next() throws IOException {
            int b = httpConnection.read();
            if (b < 0) {
                throw new EOFException(
                        total == 0
                                ? "connection closed without a response"
                                : "connection closed in the header section");
            }
            if (++total > maxBytes) {
                throw new MalformedResponse("header section larger than " + maxBytes + " bytes");
            }
            return b;
        }
    }
}
