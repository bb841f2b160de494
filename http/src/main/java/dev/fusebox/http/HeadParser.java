package dev.fusebox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An incremental parser of request heads, line by line, that rejects the request at the first wrong byte. Not
/// thread-safe.
///
/// Strict where RFC 9112 leaves room, because text that two parsers understand differently can hide a request in
/// another (request smuggling): no empty line before the request line, no bare CR or LF, no folded lines, no space
/// but the two of the request line, HTTP/1.0 and 1.1 only.
final class HeadParser {
    private static final Set<String> ONCE = Set.of(
            "host",
            "content-length",
            "content-type",
            "transfer-encoding",
            "authorization",
            "origin",
            "expect",
            "last-event-id");

    private final HttpLimits limits;
    private final List<String> fields = new ArrayList<>(24);
    private int at;
    private int lineStart;
    private int headersStart;
    private @Nullable HttpMethod method;
    private @Nullable RequestTarget target;
    private boolean isOfVersion10;

    HeadParser(HttpLimits limits) {
        this.limits = limits;
    }

    /// Parses the new part of a span that grows; returns the head once it is complete.
    @Nullable
    RequestHead feed(ByteSpan byteSpan) throws RequestRejected {
        while (at < byteSpan.length()) {
            check(byteSpan);
            boolean endsLine = byteSpan.at(at++) == '\n';
            if (endsLine && endLine(byteSpan)) {
                return head();
            }
        }
        return null;
    }

    /// The length of the head in bytes.
    int length() {
        return at;
    }

    private void check(ByteSpan byteSpan) throws RequestRejected {
        byte b = byteSpan.at(at);
        boolean afterReturn = at > lineStart && byteSpan.at(at - 1) == '\r';
        if (afterReturn != (b == '\n')) {
            throw RequestRejected.malformed("lines must end with CR LF; a bare CR or LF is not allowed");
        }
        if ((b >= 0 && b < ' ' && b != '\r' && b != '\n' && b != '\t') || b == 127) {
            throw RequestRejected.malformed("control character in the head (this port expects plain HTTP/1.1)");
        }
        if (target == null && at >= limits.maxLineBytes()) {
            throw RequestRejected.because(414, "the request line is longer than " + limits.maxLineBytes() + " bytes");
        }
        if (target != null && at - headersStart >= limits.maxHeaderBytes()) {
            throw RequestRejected.because(431, "the headers are longer than " + limits.maxHeaderBytes() + " bytes");
        }
    }

    /// Returns whether it was the empty line at the end.
    private boolean endLine(ByteSpan byteSpan) throws RequestRejected {
        String line = byteSpan.text(lineStart, at - 2);
        lineStart = at;
        if (target == null) {
            headersStart = at;
            requestLine(line);
            return false;
        }
        if (line.isEmpty()) {
            return true;
        }
        field(line);
        return false;
    }

    private void requestLine(String line) throws RequestRejected {
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        if (first < 1 || last == first || line.indexOf(' ', first + 1) != last || line.indexOf('\t') >= 0) {
            throw RequestRejected.malformed(
                    "the request line must be method, target and version, separated by one space");
        }
        version(line.substring(last + 1));
        method = method(line.substring(0, first));
        target = RequestTarget.parse(line.substring(first + 1, last));
    }

    private void version(String text) throws RequestRejected {
        isOfVersion10 = text.equals("HTTP/1.0");
        if (isOfVersion10 || text.equals("HTTP/1.1")) {
            return;
        }
        throw text.matches("HTTP/[0-9]\\.[0-9]")
                ? RequestRejected.because(505, "unsupported HTTP version; use HTTP/1.1")
                : RequestRejected.malformed("malformed HTTP version");
    }

    private static HttpMethod method(String text) throws RequestRejected {
        if (!HttpCharacters.isToken(text)) {
            throw RequestRejected.malformed("malformed method");
        }
        for (HttpMethod known : HttpMethod.values()) {
            if (known.name().equals(text)) {
                return known;
            }
        }
        throw RequestRejected.because(501, "unsupported method; use GET, HEAD, POST, DELETE or OPTIONS");
    }

    private void field(String line) throws RequestRejected {
        int colon = line.indexOf(':');
        String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
        if (!HttpCharacters.isToken(name)) {
            throw RequestRejected.malformed("malformed header line; expected name, colon and value on one line");
        }
        if (fields.size() == 2 * limits.maxHeaders()) {
            throw RequestRejected.because(431, "more than " + limits.maxHeaders() + " headers");
        }
        if ((ONCE.contains(name) || name.startsWith("mcp-")) && isThere(name)) {
            throw RequestRejected.malformed("duplicate header: " + name);
        }
        fields.add(name);
        fields.add(trim(line.substring(colon + 1)));
    }

    private boolean isThere(String name) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// Without optional white space: blanks and tabs only (RFC 9110, 5.6.3).
    private static String trim(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private RequestHead head() {
        if (method == null || target == null) {
            throw new IllegalStateException("the head has no request line");
        }
        return new RequestHead(method, target, isOfVersion10, HttpHeaders.ofChecked(fields));
    }
}
