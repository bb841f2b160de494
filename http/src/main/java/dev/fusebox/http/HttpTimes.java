package dev.fusebox.http;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// The time limits of clients. Immutable, thread-safe.
///
/// @param head from the first byte of a request to the end of its headers, and from the connect to the first byte
/// @param body from there to the end of the body
/// @param idle between two requests
/// @param clientWrite for a client to read 128 KiB
/// @param closing for a client to notice that its connection is closed, and for running requests when the server
/// closes
public record HttpTimes(Duration head, Duration body, Duration idle, Duration clientWrite, Duration closing) {

    public HttpTimes {
        if (shortest(head, body, idle, clientWrite, closing).compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("every time limit must be positive");
        }
    }

    /// 10 s for a head, 30 s for a body, 5 min between requests, 30 s to read, 5 s to close.
    public static HttpTimes defaults() {
        return new HttpTimes(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }

    Duration shortest() {
        return shortest(head, body, idle, clientWrite, closing);
    }

    private static Duration shortest(Duration... times) {
        return Collections.min(List.of(times));
    }
}
