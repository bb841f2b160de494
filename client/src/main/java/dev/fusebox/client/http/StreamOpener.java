package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opener of connections that carry another protocol than HTTP, under the limits, proxies, certificate authorities
/// and authorization of requests to the same target. Thread-safe; [#connect] and [#upgrade] block, at most for the
/// connect timeout and ten seconds.
public final class StreamOpener {
    /// How long the server may take to answer an upgrade after connecting.
    private static final Duration UPGRADE_TIMEOUT = Duration.ofSeconds(10);

    /// Limit on the body of a rejection.
    private static final int MAX_SHOWN_BYTES = 1 << 10;

    private final RemoteServer remote;

    public StreamOpener(
            Platform platform,
            OutboundHttpClient outboundHttpClient,
            HttpTarget target,
            RequestAuthorizer requestAuthorizer) {
        this.remote = new RemoteServer(platform, outboundHttpClient, target, requestAuthorizer);
    }

    /// The result of opening a connection. Immutable; the stream of [Opened] can be used by one owner.
    public sealed interface StreamResult {
        /// The connection belongs to the caller.
        ///
        /// @param responseHeaders of the response to an upgrade; without fields if there was none
        record Opened(DuplexStream stream, ResponseHeaders responseHeaders) implements StreamResult {}

        /// No part of a message was sent.
        record Failed(CallFailure failure) implements StreamResult {}
    }

    /// The pause that the server asked for; null if a connection may be opened now.
    public @Nullable CallFailure refusal() {
        return remote.retryAfterGate().refusal();
    }

    /// Opens a connection, and sends nothing.
    public StreamResult connect() {
        try (RequestTimer timer = RequestTimer.start(remote.platform(), limit())) {
            DuplexStream stream = remote.outboundHttpClient().connect(remote.target(), timer);
            timer.disarm();
            return new StreamResult.Opened(stream, new ResponseHeaders());
        } catch (HttpFailure failed) {
            return new StreamResult.Failed(failed.failure().unsent());
        }
    }

    /// Opens a connection by a request to change its protocol (RFC 9110, section 7.8).
    ///
    /// @param fields of the request: name, value, name, value
    public StreamResult upgrade(List<String> fields) {
        OutgoingRequest request = OutgoingRequest.without("GET", remote.target(), fields);
        try (RequestTimer timer = RequestTimer.start(remote.platform(), limit())) {
            StreamResult result = upgrade(request, timer);
            // A rejection counts even if its body was not read to the end.
            boolean isRejected = result instanceof StreamResult.Failed(CallFailure failure)
                    && failure.evidence().httpStatus() != null;
            return timer.disarm() || isRejected ? result : unanswered(result);
        }
    }

    private Duration limit() {
        return remote.outboundHttpClient().settings().connectTimeout().plus(UPGRADE_TIMEOUT);
    }

    private StreamResult upgrade(OutgoingRequest request, RequestTimer timer) {
        try {
            StreamingResponse response = remote.send(request, timer);
            return response.isUpgraded()
                    ? new StreamResult.Opened(response.takeStream(), response.responseHeaders())
                    : new StreamResult.Failed(rejection(response));
        } catch (HttpFailure failed) {
            CallFailure failure = failed.failure();
            return new StreamResult.Failed(
                    failure.id() == ErrorId.CONNECTION_LOST ? failed("closed the connection") : failure.unsent());
        }
    }

    private CallFailure rejection(StreamingResponse response) {
        try (response) {
            CallFailure failure = remote.responseClassifier().of(response, response.readable(MAX_SHOWN_BYTES));
            CallFailure recorded = remote.retryAfterGate().record(failure).unsent();
            return response.status() >= 300 ? recorded : notUpgraded(recorded);
        }
    }

    /// The server answered the request as if it were an ordinary one.
    private static CallFailure notUpgraded(CallFailure failure) {
        String message = "the server did not switch to another protocol: " + failure.message();
        return new CallFailure(failure.id(), failure.category(), failure.delivery(), message, failure.evidence());
    }

    private StreamResult unanswered(StreamResult late) {
        if (late instanceof StreamResult.Opened(DuplexStream stream, ResponseHeaders _)) {
            stream.close();
        }
        return new StreamResult.Failed(failed("did not answer within " + limit().toMillis() + " ms"));
    }

    /// @param how the server reacted to the request
    private CallFailure failed(String how) {
        String message = remote.target().shownOrigin() + " " + how + " when it was asked to switch to another protocol";
        return CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, message);
    }
}
