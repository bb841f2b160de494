package dev.fusebox.http;

import java.nio.charset.StandardCharsets;

/// A writer of one response head. Not thread-safe, used once.
final class ResponseHeadWriter {
    static final byte[] NO_BODY = {};

    private static final int TOO_LARGE = 413;

    /// JSON-RPC 2.0, section 5.1. The following text needs no escapes.
    private static final String INVALID_REQUEST =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"";

    private final StringBuilder text = new StringBuilder(256);
    private final boolean mayHaveBody;

    private ResponseHeadWriter(int status, HttpHeaders headers, boolean closes) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("invalid status: " + status);
        }
        this.mayHaveBody = status != 204 && status != 304;
        text.append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(reason(status))
                .append("\r\n");
        headers.appendTo(text);
        if (closes) {
            text.append("Connection: close\r\n");
        }
    }

    static ResponseHeadWriter of(int status, HttpHeaders headers, boolean closes) {
        return new ResponseHeadWriter(status, headers, closes);
    }

    /// An error response of the server itself, for the person who debugs the client. A message that is too long
    /// gets a JSON-RPC error, like one that cannot be read: an MCP client reads nothing else.
    static byte[] refusal(RequestRejected requestRejected) {
        int status = requestRejected.status();
        String why = requestRejected.why();
        boolean isOfMessage = status == TOO_LARGE;
        String type = isOfMessage ? "application/json" : "text/plain; charset=utf-8";
        byte[] words = isOfMessage
                ? (INVALID_REQUEST + why + "\"}}").getBytes(StandardCharsets.UTF_8)
                : (why + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] head = of(status, requestRejected.headers().with("Content-Type", type), true)
                .withLength(words.length);
        var both = new byte[head.length + words.length];
        System.arraycopy(head, 0, both, 0, head.length);
        System.arraycopy(words, 0, both, head.length, words.length);
        return both;
    }

    byte[] withLength(int length) {
        if (mayHaveBody) {
            text.append("Content-Length: ").append(length).append("\r\n");
        }
        return end();
    }

    /// An HTTP/1.0 client does not support chunks: its stream ends with the connection.
    byte[] ofStream(boolean chunked) {
        text.append("Content-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n");
        if (chunked) {
            text.append("Transfer-Encoding: chunked\r\n");
        }
        return end();
    }

    private byte[] end() {
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// For people; clients use the number (RFC 9112, 4).
    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 417 -> "Expectation Failed";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "";
        };
    }
}
