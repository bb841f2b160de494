package dev.fusebox.client.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Body of a response as it arrives: framed by its length, in chunks, or by the end of the connection (RFC 9112,
/// 6.3). Not thread-safe; reads block.
final class ResponseBody extends InputStream {
    /// For the sizes, extensions and trailers of chunks, which are short.
    private static final int MAX_LINE = 1 << 10;
    private static final int MAX_TRAILERS = 32;

    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern CHUNK = Pattern.compile("([0-9A-Fa-f]{1,8})[ \t]*(;.*)?");

    private final HttpConnection httpConnection;
    private final Framing framing;
    private long left;
    private boolean isBegun;
    private boolean isFinished;

    private enum Framing {
        LENGTH,
        CHUNKED,
        UNTIL_END
    }

    private ResponseBody(HttpConnection httpConnection, Framing framing, long length) {
        this.httpConnection = httpConnection;
        this.framing = framing;
        this.left = length;
        this.isFinished = framing == Framing.LENGTH && length == 0;
    }

    static ResponseBody of(HttpConnection httpConnection, ResponseHead head) throws MalformedResponse {
        if (head.status() == 204 || head.status() == 304) {
            return new ResponseBody(httpConnection, Framing.LENGTH, 0);
        }
        var lengths = head.responseHeaders().values("content-length");
        var codings = head.responseHeaders().values("transfer-encoding");
        if (!codings.isEmpty()) {
            if (!lengths.isEmpty() || codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
                throw new MalformedResponse("unsupported Transfer-Encoding, or one together with Content-Length");
            }
            return new ResponseBody(httpConnection, Framing.CHUNKED, 0);
        }
        if (lengths.isEmpty()) {
            return new ResponseBody(httpConnection, Framing.UNTIL_END, 0);
        }
        if (lengths.size() > 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
            throw new MalformedResponse("invalid or repeated Content-Length");
        }
        return new ResponseBody(httpConnection, Framing.LENGTH, Long.parseLong(lengths.getFirst()));
    }

    /// The remaining bytes, if the length was announced; else the given number.
    long leftOr(long unknown) {
        return framing == Framing.LENGTH ? left : unknown;
    }

    /// Whether all of it has been read.
    boolean isFinished() {
        return isFinished;
    }

    /// Whether its end differs from the end of the connection.
    boolean hasOwnEnd() {
        return framing != Framing.UNTIL_END;
    }

    /// Waits for its end and reads it; false if there is more content, which is not read.
    boolean finish() throws IOException {
        if (isFinished) {
            return true;
        }
        // Only the last chunk may be read as an end: more content means that the body continues.
        return framing == Framing.CHUNKED && left == 0 && !hasContent();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int limit) throws IOException {
        if (limit == 0) {
            return 0;
        }
        if (isFinished || !hasContent()) {
            return -1;
        }
        int wanted = framing == Framing.UNTIL_END ? limit : (int) Math.min(limit, left);
        int count = httpConnection.read(into, from, wanted);
        if (count < 0) {
            return ended();
        }
        left -= count;
        isFinished = framing == Framing.LENGTH && left == 0;
        return count;
    }

    private int ended() throws EOFException {
        if (framing != Framing.UNTIL_END) {
            throw new EOFException("connection closed in the body");
        }
        isFinished = true;
        return -1;
    }

    /// Advances to the next chunk if necessary; false at the end.
    private boolean hasContent() throws IOException {
        if (framing == Framing.CHUNKED && left == 0) {
            if (isBegun && !text().isEmpty()) {
                throw new MalformedResponse("chunk longer than its size");
            }
            isBegun = true;
            left = chunkSize(text());
            if (left == 0) {
                skipTrailers();
                isFinished = true;
            }
        }
        return !isFinished;
    }

    private static long chunkSize(String text) throws MalformedResponse {
        Matcher size = CHUNK.matcher(text);
        if (!size.matches()) {
            throw new MalformedResponse("chunk without a size");
        }
        return Long.parseLong(size.group(1), 16);
    }

    private void skipTrailers() throws IOException {
        for (int i = 0; !text().isEmpty(); i++) {
            if (i == MAX_TRAILERS) {
                throw new MalformedResponse("more than " + MAX_TRAILERS + " trailer fields");
            }
        }
    }

    private String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int b = httpConnection.read(); b != '\n'; b = httpConnection.read()) {
            if (b < 0) {
                throw new EOFException("connection closed in the body");
            }
            if (text.length() == MAX_LINE) {
                throw new MalformedResponse("chunk header larger than " + MAX_LINE + " bytes");
            }
            text.append((char) b);
        }
        int last = text.length() - 1;
        if (last < 0 || text.charAt(last) != '\r') {
            throw new MalformedResponse("chunk header does not end in CR LF");
        }
        return text.substring(0, last);
    }
}
