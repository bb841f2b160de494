package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;

/// Client that fetches documents over [OutboundHttpClient], under its limits. Thread-safe; [#of] blocks until the
/// deadline.
public final class DocumentFetcher implements AutoCloseable {
    private static final int OK = 200;

    private final Platform platform;
    private final OutboundHttpClient httpClient;

    public DocumentFetcher(Platform platform, OutboundSettings settings) {
        this.platform = platform;
        this.httpClient = OutboundHttpClient.open(platform, settings);
    }

    /// The document at a URL.
    ///
    /// @throws IOException if it is not available, with the reason
    public byte[] of(HttpTarget target, Deadline deadline) throws IOException {
        OutgoingRequest request = OutgoingRequest.without("GET", target, List.of("Accept", "application/json"));
        try (RequestTimer timer = RequestTimer.start(platform, deadline);
                StreamingResponse streamingResponse = httpClient.send(request, timer)) {
            if (streamingResponse.status() != OK) {
                streamingResponse.abort();
                throw new IOException(target.origin() + " answered with HTTP " + streamingResponse.status());
            }
            return streamingResponse.bytes();
        } catch (HttpFailure httpFailure) {
            throw new IOException(httpFailure.failure().message(), httpFailure);
        }
    }

    @Override
    public void close() {
        httpClient.close();
    }
}
