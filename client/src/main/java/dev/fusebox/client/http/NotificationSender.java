package dev.fusebox.client.http;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Sender of the messages of a session that have no response: notifications, responses to requests of the server,
/// and the end of the session. Each is a POST on a virtual thread of its own; their number at a time is limited.
/// Thread-safe; only [#awaitInitialized] blocks.
final class NotificationSender {
    private static final Duration POST_TIMEOUT = Duration.ofSeconds(10);
    /// A server that takes longer for `notifications/initialized` gets the next request anyway.
    private static final Duration INITIALIZED_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(1);
    private static final int MAX_IN_FLIGHT = 256;

    private final StreamableHttpConnection connection;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile @Nullable Promise<Boolean> initialized;

    NotificationSender(StreamableHttpConnection connection) {
        this.connection = connection;
    }

    /// Waits until the server has processed `notifications/initialized` and has its event stream.
    void awaitInitialized(RequestTimer timer) {
        Promise<Boolean> known = initialized;
        if (known == null || known.now() != null) {
            return;
        }
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> LockSupport.unpark(self));
        try {
            known.await(connection.remote().platform(), INITIALIZED_TIMEOUT, timer::isExpired);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void submit(byte[] frame) {
        Message message = Message.read(frame);
        boolean isInitialized = message instanceof Message.Notification notification
                && notification.method().equals("notifications/initialized");
        Promise<Boolean> promise = isInitialized ? new Promise<>() : null;
        if (promise != null) {
            initialized = promise;
        }
        boolean isStarted = startTask(() -> {
            if (promise == null) {
                tryPost(frame);
            } else {
                postInitialized(frame, promise);
            }
        });
        if (!isStarted && promise != null) {
            promise.complete(false);
        }
    }

    private void postInitialized(byte[] frame, Promise<Boolean> promise) {
        try {
            if (tryPost(frame)) {
                connection.listen();
            }
        } finally {
            promise.complete(true);
        }
    }

    /// In the stateless era there is nothing to send: a cancelled request is aborted by closing its connection. A
    /// closed connection sends nothing more.
    private boolean startTask(Runnable work) {
        if (connection.negotiatedSession() == null || !connection.isAlive()) {
            return false;
        }
        if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            inFlight.decrementAndGet();
            connection.countDropped();
            return false;
        }
        return VirtualThreadStarter.start(
                "fusebox-http-notify",
                () -> {
                    try {
                        work.run();
                    } finally {
                        inFlight.decrementAndGet();
                    }
                },
                inFlight::decrementAndGet);
    }

    private boolean tryPost(byte[] frame) {
        RemoteServer remote = connection.remote();
        ProtocolHeaders.SessionHeaders with = connection.negotiatedSession();
        OutgoingRequest request = OutgoingRequest.post(remote.target(), ProtocolHeaders.ofSession(with), frame);
        try (RequestTimer timer = RequestTimer.start(remote.platform(), POST_TIMEOUT);
                StreamingResponse streamingResponse = remote.send(request, timer)) {
            skip(streamingResponse);
            return countDropped(isAccepted(streamingResponse, with));
        } catch (HttpFailure undelivered) {
            return countDropped(false);
        }
    }

    /// The body of a response to a notification is not needed.
    private static void skip(StreamingResponse streamingResponse) {
        if (streamingResponse.type().equals(ProtocolHeaders.EVENTS)) {
            streamingResponse.abort();
        } else {
            streamingResponse.readable(1 << 10);
        }
    }

    private boolean isAccepted(StreamingResponse streamingResponse, ProtocolHeaders.@Nullable SessionHeaders with) {
        if (streamingResponse.status() / 100 == 2) {
            return true;
        }
        connection.failure(streamingResponse, new byte[0]);
        if (streamingResponse.status() == 404 && with != null && with.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(404));
        }
        return false;
    }

    private boolean countDropped(boolean isDelivered) {
        if (!isDelivered) {
            connection.countDropped();
        }
        return isDelivered;
    }

    /// Ends the session. The result does not matter: servers may reject it (405), and sessions expire by
    /// themselves.
    void deleteSession(ProtocolHeaders.SessionHeaders with) {
        RemoteServer remote = connection.remote();
        OutgoingRequest request = OutgoingRequest.without("DELETE", remote.target(), ProtocolHeaders.ofSession(with));
        remote.outboundHttpClient().runFinalRequest(() -> {
            try (RequestTimer timer = RequestTimer.start(remote.platform(), DELETE_TIMEOUT);
                    StreamingResponse streamingResponse = remote.send(request, timer)) {
                streamingResponse.first(1 << 10);
            } catch (HttpFailure | IOException undelivered) {
                connection.countDropped();
            }
        });
    }
}
