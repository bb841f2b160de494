package dev.fusebox.http;

import java.util.regex.Pattern;

/// Reads the body of a request, framed by its length or in chunks (RFC 9112, 6 and 7). Not thread-safe.
///
/// Refused: both framings at once, a length that is not plain digits, any coding but `chunked`, chunk extensions
/// and trailers. A body is taken in steps as it comes, so an announced length costs nothing.
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

    /// How a body is framed.
    enum Framing {
        NONE,
        BY_LENGTH,
        CHUNKED
    }

    /// Judged before anything of the body is read or asked for.
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
            throw RequestRejected.malformed("Transfer-Encoding beside Content-Length or in HTTP/1.0");
        }
        if (!coding.equalsIgnoreCase("chunked")) {
            throw RequestRejected.because(501, "the only transfer coding here is chunked");
        }
    }

    private static long parseLength(String text) throws RequestRejected {
        if (!LENGTH.matcher(text).matches()) {
            throw RequestRejected.malformed("Content-Length must be digits");
        }
        return Long.parseLong(text);
    }

    private static RequestRejected tooLarge(int most) {
        return RequestRejected.because(413, "a body may have " + most + " bytes");
    }

    /// @param most bytes that it may have
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
                        "a chunk size must be one to seven hexadecimal digits and nothing else");
            }
            size = size * 16 + digit;
        }
        if (digits == 0) {
            throw RequestRejected.malformed("a chunk without a size");
        }
        expect('\n');
        return size;
    }

    private void expect(char wanted) throws RequestRejected {
        if (next() != wanted) {
            throw RequestRejected.malformed("a chunk must end in CR LF, and no trailers may follow the last");
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
        return RequestRejected.malformed("the body ended after " + body.length() + " bytes, before its end");
    }
}
