package dev.fusebox.client.http;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// Server over HTTP, shared by all connections to it. Thread-safe.
///
/// @param outboundHttpClient for all requests to it
/// @param target of all requests to it
/// @param retryAfterGate pause that the server asked for, which all connections observe
/// @param requestAuthorizer authorizes all requests to it
record RemoteServer(
        Platform platform,
        OutboundHttpClient outboundHttpClient,
        HttpTarget target,
        RetryAfterGate retryAfterGate,
        RequestAuthorizer requestAuthorizer) {
    RemoteServer(
            Platform platform,
            OutboundHttpClient outboundHttpClient,
            HttpTarget target,
            RequestAuthorizer requestAuthorizer) {
        this(platform, outboundHttpClient, target, new RetryAfterGate(platform.ticker()), requestAuthorizer);
    }

    /// Sends a request, and reads the head of its response.
    StreamingResponse send(OutgoingRequest request, RequestTimer timer) throws HttpFailure {
        return send(request, timer, null);
    }

    /// The same for a request that carries this message.
    StreamingResponse send(OutgoingRequest request, RequestTimer timer, Message.@Nullable Request cause)
            throws HttpFailure {
        return requestAuthorizer.equals(RequestAuthorizer.NONE)
                ? outboundHttpClient.send(request, timer)
                : new AuthorizedExchange(this, timer, cause).send(request);
    }

    /// For the log.
    String name() {
        return target.shownOrigin();
    }

    /// Parses a frame of the server.
    Message read(byte[] frame) {
        return Message.read(frame, outboundHttpClient.settings().maxDepth());
    }

    ResponseClassifier responseClassifier() {
        return new ResponseClassifier(platform, () -> target.secrets().and(requestAuthorizer.secrets()));
    }
}
