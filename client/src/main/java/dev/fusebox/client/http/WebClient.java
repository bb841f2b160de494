package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;
import java.util.zip.ZipException;

/// Client for single HTTP requests with small bodies, such as documents and forms, over [OutboundHttpClient] and
/// under its limits. Redirects to other origins are not followed. Thread-safe; [#get] and [#post] block until the
/// deadline, and [#close] for a second at most.
public final class WebClient implements AutoCloseable {
    /// The largest body of [#open]: no message of OAuth comes near it.
    public static final int MAX_BODY_BYTES = 1 << 20;

    private static final List<String> ACCEPT = List.of("Accept", "application/json");
    private static final int FIRST_ERROR = 300;

    private final Platform platform;
    private final OutboundHttpClient httpClient;

    private WebClient(Platform platform, OutboundSettings settings) {
        this.platform = platform;
        this.httpClient = OutboundHttpClient.open(platform, settings);
    }

    /// A client for bodies up to [#MAX_BODY_BYTES], or the limit of the settings if that is smaller.
    public static WebClient open(Platform platform, OutboundSettings settings) {
        int limit = Math.min(settings.maxBodyBytes(), MAX_BODY_BYTES);
        return new WebClient(platform, settings.withMaxBodyBytes(limit));
    }

    /// A client for bodies up to the limit of the settings.
    public static WebClient forLargeBodies(Platform platform, OutboundSettings settings) {
        return new WebClient(platform, settings);
    }

    /// The response to a GET, with whatever status.
    ///
    /// @param deadline of this request alone at the time
    /// @throws HttpFailure if there is none, or it is longer than the limit
    public WebResponse get(HttpTarget target, Deadline deadline) throws HttpFailure {
        return exchange(OutgoingRequest.without("GET", target, ACCEPT), deadline);
    }

    /// The response to a POST, with whatever status.
    ///
    /// @param deadline of this request alone at the time
    /// @throws HttpFailure if there is none, or it is longer than the limit; it tells whether the request was sent
    public WebResponse post(HttpTarget target, String contentType, byte[] body, Deadline deadline) throws HttpFailure {
        return exchange(OutgoingRequest.post(target, contentType, ACCEPT, body), deadline);
    }

    private WebResponse exchange(OutgoingRequest request, Deadline deadline) throws HttpFailure {
        try (RequestTimer timer = RequestTimer.start(platform, deadline)) {
            try (StreamingResponse streamingResponse = httpClient.send(request, timer)) {
                return read(streamingResponse, request.target());
            } catch (HttpFailure httpFailure) {
                boolean isLate = timer.left() <= 0 && httpFailure.failure().delivery() == Delivery.UNKNOWN;
                throw isLate ? new HttpFailure(timedOut(request.target())) : httpFailure;
            }
        }
    }

    private static CallFailure timedOut(HttpTarget target) {
        return CallFailure.timeout("timed out waiting for the response of " + target.origin());
    }

    private WebResponse read(StreamingResponse streamingResponse, HttpTarget target) throws HttpFailure {
        try {
            byte[] body = streamingResponse.status() < FIRST_ERROR
                    ? streamingResponse.bytes()
                    : streamingResponse.readable(httpClient.settings().maxBodyBytes());
            WebResponse response =
                    new WebResponse(streamingResponse.status(), streamingResponse.responseHeaders(), body);
            streamingResponse.close();
            return response;
        } catch (StreamingResponse.TooLarge large) {
            throw HttpFailure.of(
                    ErrorId.PROTOCOL_VIOLATION,
                    "the response of " + target.origin() + " has more than " + large.limit() + " bytes");
        } catch (MemoryExhausted full) {
            throw new HttpFailure(CallFailure.outOfMemory());
        } catch (MalformedResponse | ZipException wrong) {
            throw new HttpFailure(CallFailure.of(
                    ErrorId.NOT_HTTP, "invalid response body of " + target.origin() + ": " + wrong.getMessage()));
        } catch (IOException lost) {
            throw HttpFailure.connectionLost(
                    "connection to " + target.origin() + " lost before the response was complete");
        } finally {
            // Has no effect on a connection that was released.
            streamingResponse.abort();
        }
    }

    @Override
    public void close() {
        httpClient.close();
    }
}
