package dev.fusebox.http;

import java.util.regex.Pattern;

/// A reader of request bodies, framed by length or in chunks (RFC 9112, 6 and 7). Not thread-safe; reading blocks.
///
/// Rejected: both framings at once, a length that is not plain digits, any coding but `chunked`, chunk extensions
/// and trailers. A body is read in steps as it arrives, so an announced length costs nothing.
final class RequestBodyReader {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    private final ConnectionInput connectionInput;
    private final int most;
    private final RequestBody body;

    private RequestBodyReader(ConnectionInput connectionInput, int most, RequestBody body) {
        this.connectionInput = connectionInput;
        this.most = most;
        this.body = body;
    }

    /// The framing of a body.
    enum Framing {
        NONE,
        BY_LENGTH,
        CHUNKED
    }

    /// Determined before anything of the body is read or requested.
    static Framing framing(RequestHead head, int most) throws RequestRejected {
        String length = head.headers().value("content-length");
        String coding = head.headers().value("transfer-encoding");
        if (coding != null) {
            checkCoding(head, coding, length != null);
            return Framing.CHUNKED;
        }
        if (length == null) {
            return Framing.NONE;
        }
        long bytes = parseLength(length);
        if (bytes > most) {
            throw tooLarge(most);
        }
        return bytes == 0 ? Framing.NONE : Framing.BY_LENGTH;
    }

    private static void checkCoding(RequestHead head, String coding, boolean hasLength) throws RequestRejected {
        if (hasLength || head.isOfVersion10()) {
            throw RequestRejected.malformed("Transfer-Encoding together with Content-Length or in HTTP/1.0");
        }
        if (!coding.equalsIgnoreCase("chunked")) {
            throw RequestRejected.because(501, "unsupported transfer coding; only chunked is supported");
        }
    }

    private static long parseLength(String text) throws RequestRejected {
        if (!LENGTH.matcher(text).matches()) {
            throw RequestRejected.malformed("Content-Length must consist of digits");
        }
        return Long.parseLong(text);
    }

    private static RequestRejected tooLarge(int most) {
        return RequestRejected.because(413, "the body is larger than " + most + " bytes");
    }

    /// @param most the maximum length in bytes
    static void read(ConnectionInput connectionInput, RequestHead head, int most, RequestBody into)
            throws RequestRejected {
        var reader = new RequestBodyReader(connectionInput, most, into);
        switch (framing(head, most)) {
            case NONE -> {}
            case BY_LENGTH -> {
                into.expect(contentLength(head));
                reader.append(contentLength(head));
            }
            case CHUNKED -> {
                into.expect(most);
                reader.appendChunks();
            }
        }
    }

    private static int contentLength(RequestHead head) {
        return Integer.parseInt(String.valueOf(head.headers().value("content-length")));
    }

    private void appendChunks() throws RequestRejected {
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            if (size > most - body.length()) {
                throw tooLarge(most);
            }
            append(size);
            expect('\r');
            expect('\n');
        }
        expect('\r');
        expect('\n');
    }

    private int chunkSize() throws RequestRejected {
        int size = 0;
        int digits = 0;
        for (int b = next(); b != '\r'; b = next()) {
            int digit = Character.digit(b, 16);
            if (digit < 0 || ++digits > 7) {
                throw RequestRejected.malformed(
                        "a chunk size must be one to seven hexadecimal digits, without extensions");
            }
            size = size * 16 + digit;
        }
        if (digits == 0) {
            throw RequestRejected.malformed("missing chunk size");
        }
        expect('\n');
        return size;
    }

    private void expect(char wanted) throws RequestRejected {
        if (next() != wanted) {
            throw RequestRejected.malformed("a chunk must end with CR LF, and trailers are not supported");
        }
    }

    private int next() throws RequestRejected {
        var one = new byte[1];
        if (connectionInput.take(one, 0, 1) < 0) {
            throw endedEarly();
        }
        return one[0];
    }

    private void append(int count) throws RequestRejected {
        int end = body.length() + count;
        while (body.length() < end) {
            if (!body.take(connectionInput, end - body.length())) {
                throw endedEarly();
            }
        }
    }

    private RequestRejected endedEarly() {
        return RequestRejected.malformed("the connection ended after " + body.length() + " bytes of the body");
    }
}
