package dev.fusebox.http;

/// How much the front takes from a client. Immutable.
///
/// @param maxBodyBytes of one request
/// @param maxBodiesBytes of all requests that are read or worked on, but for their beginnings; of what is more
/// than that
///     only the ends are kept
/// @param maxLineBytes of a request line, with its line end
/// @param maxHeaderBytes of all header lines together, with their line ends
/// @param maxHeaders header lines of one request
/// @param maxConnections open at the same time; one more is answered 503
/// @param maxWaitingBytes of events that a client has not taken
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

    /// An eighth of the memory that there may be, since each is copied on its way; a request of any length finds
    /// room if it is alone.
    public static long roomForBodies(int maxBodyBytes) {
        return Math.max(maxBodyBytes, Runtime.getRuntime().maxMemory() / 8);
    }

    /// 4 MiB a body, 8 KiB a line, 64 KiB and 100 headers, 12,000 connections, 4 MiB waiting.
    public static HttpLimits defaults() {
        return new HttpLimits(4 << 20, roomForBodies(4 << 20), 8 << 10, 64 << 10, 100, 12_000, 4 << 20);
    }
}
