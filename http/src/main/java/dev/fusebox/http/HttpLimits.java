package dev.fusebox.http;

/// The limits on what the server accepts from a client. Immutable, thread-safe.
///
/// @param maxBodyBytes of one request
/// @param maxBodiesBytes of the bodies of all requests in progress, without their first kilobytes; of a body beyond
/// that, only the ends are kept
/// @param maxLineBytes of a request line, with its line end
/// @param maxHeaderBytes of all header lines together, with their line ends
/// @param maxHeaders header lines of one request
/// @param maxConnections open at the same time; further ones get status 503
/// @param maxWaitingBytes of events that a client has not read
public record HttpLimits(
        int maxBodyBytes,
        long maxBodiesBytes,
        int maxLineBytes,
        int maxHeaderBytes,
        int maxHeaders,
        int maxConnections,
        int maxWaitingBytes) {

    public HttpLimits {
        requirePositive("maxBodyBytes", maxBodyBytes);
        requirePositive("maxBodiesBytes", maxBodiesBytes);
        requirePositive("maxLineBytes", maxLineBytes);
        requirePositive("maxHeaderBytes", maxHeaderBytes);
        requirePositive("maxHeaders", maxHeaders);
        requirePositive("maxConnections", maxConnections);
        requirePositive("maxWaitingBytes", maxWaitingBytes);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }

    /// An eighth of the memory limit, because each body is copied several times; a request of any length fits if it
    /// is alone.
    public static long roomForBodies(int maxBodyBytes) {
        return Math.max(maxBodyBytes, Runtime.getRuntime().maxMemory() / 8);
    }

    /// 4 MiB per body, 8 KiB per line, 64 KiB and 100 headers, 12,000 connections, 4 MiB of waiting events.
    public static HttpLimits defaults() {
        return new HttpLimits(4 << 20, roomForBodies(4 << 20), 8 << 10, 64 << 10, 100, 12_000, 4 << 20);
    }
}
