package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;

/// Fetches documents, by the one way out and under its limits. Thread-safe; fetching blocks for as long as the
/// caller has patience.
public final class DocumentFetcher implements AutoCloseable {
    private static final int GOOD = 200;

    private final Platform platform;
    private final OutboundHttpClient lines;

    public DocumentFetcher(Platform platform, OutboundSettings settings) {
        this.platform = platform;
        this.lines = OutboundHttpClient.open(platform, settings);
    }

    /// The document at an address.
    ///
    /// @throws IOException if it cannot be had, with the reason
    public byte[] of(HttpTarget target, Deadline deadline) throws IOException {
        OutgoingRequest request = OutgoingRequest.without("GET", target, List.of("Accept", "application/json"));
        try (RequestTimer keeper = RequestTimer.start(platform, deadline);
                StreamingResponse streamingResponse = lines.send(request, keeper)) {
            if (streamingResponse.status() != GOOD) {
                streamingResponse.cut();
                throw new IOException(target.origin() + " answered with HTTP " + streamingResponse.status());
            }
            return streamingResponse.bytes();
        } catch (HttpFailure httpFailure) {
            throw new IOException(httpFailure.failure().message(), httpFailure);
        }
    }

    @Override
    public void close() {
        lines.close();
    }
}
