package dev.fusebox.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// The target of a request: a decoded path and a raw query. Immutable.
///
/// Only the origin form (RFC 9112, 3.2.1). The path is decoded once and must then be literal: an encoded slash,
/// backslash, percent sign or control character is rejected, and so are empty and dot segments.
record RequestTarget(String path, String query) {
    static RequestTarget parse(String text) throws RequestRejected {
        int mark = text.indexOf('?');
        String rawPath = mark < 0 ? text : text.substring(0, mark);
        String query = mark < 0 ? "" : text.substring(mark + 1);
        if (!rawPath.startsWith("/")) {
            throw RequestRejected.malformed("the target must start with a slash; other forms are for proxies");
        }
        if (!HttpCharacters.isPath(rawPath) || !HttpCharacters.isQuery(query)) {
            throw RequestRejected.malformed("the target contains a character that must be percent-encoded");
        }
        String path = rawPath.indexOf('%') < 0 ? rawPath : decode(rawPath);
        checkSegments(path);
        return new RequestTarget(path, query);
    }

    private static String decode(String path) throws RequestRejected {
        var bytes = new byte[path.length()];
        int length = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            bytes[length++] = (byte) (c == '%' ? decodeOne(path, i) : c);
            i += c == '%' ? 2 : 0;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw RequestRejected.malformed("the decoded path is not valid UTF-8");
        }
    }

    private static int decodeOne(String path, int at) throws RequestRejected {
        int high = at + 2 < path.length() ? Character.digit(path.charAt(at + 1), 16) : -1;
        int low = at + 2 < path.length() ? Character.digit(path.charAt(at + 2), 16) : -1;
        int value = high * 16 + low;
        if (high < 0 || low < 0) {
            throw RequestRejected.malformed("a percent sign in the path is not followed by two hexadecimal digits");
        }
        if (value < ' ' || value == 127 || value == '/' || value == '\\' || value == '%') {
            throw RequestRejected.malformed("the path contains an encoded character that is not allowed");
        }
        return value;
    }

    private static void checkSegments(String path) throws RequestRejected {
        int start = 1;
        while (start <= path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String segment = path.substring(start, end);
            if (segment.equals(".") || segment.equals("..") || (segment.isEmpty() && slash >= 0)) {
                throw RequestRejected.malformed("the path contains an empty segment or a dot segment");
            }
            start = end + 1;
        }
    }
}
