package dev.fusebox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Takes one request's head apart, line by line as it comes, and refuses it at the first byte that is wrong.
/// Not thread-safe.
///
/// Strict where RFC 9112 leaves room, because what two parsers understand differently can hide a request in
/// another: no empty line in front, no bare CR or LF, no folded lines, no space but the two of the request line,
/// HTTP/1.0 and
/// 1.1 only.
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

    /// Looks at what is new in a longer and longer span; the head, once its end is in it.
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

    /// How many bytes the head took.
    int length() {
        return at;
    }

    private void check(ByteSpan byteSpan) throws RequestRejected {
        byte b = byteSpan.at(at);
        boolean afterReturn = at > lineStart && byteSpan.at(at - 1) == '\r';
        if (afterReturn != (b == '\n')) {
            throw RequestRejected.malformed("a line must end in CR LF, and neither may stand alone");
        }
        if ((b >= 0 && b < ' ' && b != '\r' && b != '\n' && b != '\t') || b == 127) {
            throw RequestRejected.malformed("a control character in the head (plain HTTP/1.1 is spoken here)");
        }
        if (target == null && at >= limits.maxLineBytes()) {
            throw RequestRejected.because(414, "the request line is longer than " + limits.maxLineBytes() + " bytes");
        }
        if (target != null && at - headersStart >= limits.maxHeaderBytes()) {
            throw RequestRejected.because(431, "the headers are longer than " + limits.maxHeaderBytes() + " bytes");
        }
    }

    /// Tells whether it was the empty line at the end.
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
                    "the request line must be a method, a target and a version with one space between");
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
                ? RequestRejected.because(505, "HTTP/1.1 is spoken here")
                : RequestRejected.malformed("the version must look like HTTP/1.1");
    }

    private static HttpMethod method(String text) throws RequestRejected {
        if (!HttpCharacters.isToken(text)) {
            throw RequestRejected.malformed("the method is not a token");
        }
        for (HttpMethod known : HttpMethod.values()) {
            if (known.name().equals(text)) {
                return known;
            }
        }
        throw RequestRejected.because(501, "the method is none of GET, HEAD, POST, DELETE, OPTIONS");
    }

    private void field(String line) throws RequestRejected {
        int colon = line.indexOf(':');
        String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
        if (!HttpCharacters.isToken(name)) {
            throw RequestRejected.malformed(
                    "a header must be a name, a colon right after it, and a value, on one line");
        }
        if (fields.size() == 2 * limits.maxHeaders()) {
            throw RequestRejected.because(431, "more than " + limits.maxHeaders() + " headers");
        }
        if ((ONCE.contains(name) || name.startsWith("mcp-")) && isThere(name)) {
            throw RequestRejected.malformed("a header that may come once comes twice: " + name);
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

    /// Without optional white space, which is blanks and tabs only (RFC 9110, 5.6.3).
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
            throw new IllegalStateException("a head without a request line");
        }
        return new RequestHead(method, target, isOfVersion10, HttpHeaders.ofChecked(fields));
    }
}
