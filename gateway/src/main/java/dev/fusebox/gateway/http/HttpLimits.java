package dev.fusebox.gateway.http;

import java.time.Duration;

/// How much and for how long the front puts up with a client. Immutable.
///
/// @param maxBodyBytes of one request
/// @param maxLineBytes of a request line
/// @param maxHeaderBytes of all header lines together
/// @param maxHeaders header lines of one request
/// @param maxConnections open at the same time; one more is answered 503
/// @param maxWaitingBytes of events that a client has not taken
/// @param head from the first byte of a request (or from the connect) to the end of its headers
/// @param body from there to the end of the body
/// @param idle between two requests
/// @param clientWrite for a client to take 128 KiB
/// @param closing how long [HttpFront#close()] waits for running requests
public record HttpLimits(
        int maxBodyBytes,
        int maxLineBytes,
        int maxHeaderBytes,
        int maxHeaders,
        int maxConnections,
        int maxWaitingBytes,
        Duration head,
        Duration body,
        Duration idle,
        Duration clientWrite,
        Duration closing) {

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

    /// 4 MiB a body, 8 KiB a line, 64 KiB and 100 headers, 12,000 connections, 4 MiB waiting; 10 s for a head, 30 s for
    /// a body, 5 min idle, 30 s for a client to read, 5 s to close.
    public static HttpLimits defaults() {
        return new HttpLimits(
                4 << 20,
                8 << 10,
                64 << 10,
                100,
                12_000,
                4 << 20,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }

    public HttpLimits withMaxBodyBytes(int bytes) {
        return new HttpLimits(
                bytes,
                maxLineBytes,
                maxHeaderBytes,
                maxHeaders,
                maxConnections,
                maxWaitingBytes,
                head,
                body,
                idle,
                clientWrite,
                closing);
    }

    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(
                maxBodyBytes,
                maxLineBytes,
                maxHeaderBytes,
                maxHeaders,
                connections,
                maxWaitingBytes,
                head,
                body,
                idle,
                clientWrite,
                closing);
    }

    /// The times for a client to send a head, a body, and the next request.
    public HttpLimits withReading(Duration newHead, Duration newBody, Duration newIdle) {
        return new HttpLimits(
                maxBodyBytes,
                maxLineBytes,
                maxHeaderBytes,
                maxHeaders,
                maxConnections,
                maxWaitingBytes,
                newHead,
                newBody,
                newIdle,
                clientWrite,
                closing);
    }

    /// What a client may leave unread, and for how long.
    public HttpLimits withWriting(int bytes, Duration newClientWrite) {
        return new HttpLimits(
                maxBodyBytes,
                maxLineBytes,
                maxHeaderBytes,
                maxHeaders,
                maxConnections,
                bytes,
                head,
                body,
                idle,
                newClientWrite,
                closing);
    }

    public HttpLimits withClosing(Duration newClosing) {
        return new HttpLimits(
                maxBodyBytes,
                maxLineBytes,
                maxHeaderBytes,
                maxHeaders,
                maxConnections,
                maxWaitingBytes,
                head,
                body,
                idle,
                clientWrite,
                newClosing);
    }
}
