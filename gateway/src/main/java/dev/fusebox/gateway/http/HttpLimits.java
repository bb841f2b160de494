package dev.fusebox.gateway.http;

/// How much the front takes from a client. Immutable.
///
/// @param maxBodyBytes of one request
/// @param maxLineBytes of a request line
/// @param maxHeaderBytes of all header lines together
/// @param maxHeaders header lines of one request
/// @param maxConnections open at the same time; one more is answered 503
/// @param maxWaitingBytes of events that a client has not taken
public record HttpLimits(
        int maxBodyBytes,
        int maxLineBytes,
        int maxHeaderBytes,
        int maxHeaders,
        int maxConnections,
        int maxWaitingBytes) {

    public HttpLimits {
        requirePositive("maxBodyBytes", maxBodyBytes);
        requirePositive("maxLineBytes", maxLineBytes);
        requirePositive("maxHeaderBytes", maxHeaderBytes);
        requirePositive("maxHeaders", maxHeaders);
        requirePositive("maxConnections", maxConnections);
        requirePositive("maxWaitingBytes", maxWaitingBytes);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }

    /// 4 MiB a body, 8 KiB a line, 64 KiB and 100 headers, 12,000 connections, 4 MiB waiting.
    public static HttpLimits defaults() {
        return new HttpLimits(4 << 20, 8 << 10, 64 << 10, 100, 12_000, 4 << 20);
    }
}
