package dev.fusebox.client.http;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tells the server of a session what nobody waits for: notifications, answers to its questions, and goodbye. Each
/// is a POST on a virtual thread of its own, a bounded number at once. Thread-safe; only [#awaitReady] blocks.
final class NotificationSender {
    private static final Duration TELLING = Duration.ofSeconds(10);
    /// A server that takes longer to hear that the client is ready gets the next request all the same.
    private static final Duration READY = Duration.ofSeconds(5);

    private static final Duration GOODBYE = Duration.ofSeconds(1);
    private static final int MOST_AT_ONCE = 256;

    private final StreamableHttpConnection connection;
    private final AtomicInteger telling = new AtomicInteger();
    private volatile @Nullable Promise<Boolean> ready;

    NotificationSender(StreamableHttpConnection connection) {
        this.connection = connection;
    }

    /// The server shall hear that the client is ready before it hears more, and have a way to speak to it.
    void awaitReady(RequestTimer keeper) {
        Promise<Boolean> known = ready;
        if (known == null || known.now() != null) {
            return;
        }
        Thread self = Thread.currentThread();
        keeper.hold(() -> LockSupport.unpark(self));
        try {
            known.await(connection.remote().platform(), READY, keeper::isOver);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void tell(byte[] frame) {
        Message message = Message.read(frame);
        boolean isReady = message instanceof Message.Notification notification
                && notification.method().equals("notifications/initialized");
        Promise<Boolean> promise = isReady ? new Promise<>() : null;
        if (promise != null) {
            ready = promise;
        }
        boolean taken = later(() -> {
            if (promise == null) {
                posted(frame);
            } else {
                begin(frame, promise);
            }
        });
        if (!taken && promise != null) {
            promise.bring(false);
        }
    }

    private void begin(byte[] initialized, Promise<Boolean> promise) {
        try {
            if (posted(initialized)) {
                connection.listen();
            }
        } finally {
            promise.bring(true);
        }
    }

    /// The stateless era has nothing to tell, since what would have been cancelled was cut, and a server that was
    /// left needs to hear no more.
    private boolean later(Runnable work) {
        if (connection.agreed() == null || !connection.isAlive()) {
            return false;
        }
        if (telling.incrementAndGet() > MOST_AT_ONCE) {
            telling.decrementAndGet();
            connection.drop();
            return false;
        }
        return VirtualThreadStarter.start(
                "fusebox-http-notify",
                () -> {
                    try {
                        work.run();
                    } finally {
                        telling.decrementAndGet();
                    }
                },
                telling::decrementAndGet);
    }

    private boolean posted(byte[] frame) {
        RemoteServer remote = connection.remote();
        ProtocolHeaders.Agreed with = connection.agreed();
        OutgoingRequest request = OutgoingRequest.post(remote.target(), ProtocolHeaders.ofSession(with), frame);
        try (RequestTimer keeper = RequestTimer.start(remote.platform(), TELLING);
                StreamingResponse streamingResponse =
                        remote.outboundHttpClient().send(request, keeper)) {
            skip(streamingResponse);
            return count(isTaken(streamingResponse, with));
        } catch (HttpFailure | IOException unheard) {
            return count(false);
        }
    }

    /// What a server says to something that has no answer is not worth waiting for.
    private static void skip(StreamingResponse streamingResponse) throws IOException {
        if (streamingResponse.type().equals(ProtocolHeaders.EVENTS)) {
            streamingResponse.cut();
        } else {
            streamingResponse.first(1 << 10);
        }
    }

    private boolean isTaken(StreamingResponse streamingResponse, ProtocolHeaders.@Nullable Agreed with) {
        if (streamingResponse.status() / 100 == 2) {
            return true;
        }
        connection.failure(streamingResponse, new byte[0]);
        if (streamingResponse.status() == 404 && with != null && with.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(404));
        }
        return false;
    }

    private boolean count(boolean heard) {
        if (!heard) {
            connection.drop();
        }
        return heard;
    }

    /// Ends the session. Whether it helps, nobody needs to know: servers may refuse (405), and forget sessions by
    /// themselves.
    void sayGoodbye(ProtocolHeaders.Agreed with) {
        RemoteServer remote = connection.remote();
        OutgoingRequest request = OutgoingRequest.without("DELETE", remote.target(), ProtocolHeaders.ofSession(with));
        remote.outboundHttpClient().farewell(() -> {
            try (RequestTimer keeper = RequestTimer.start(remote.platform(), GOODBYE);
                    StreamingResponse streamingResponse =
                            remote.outboundHttpClient().send(request, keeper)) {
                streamingResponse.first(1 << 10);
            } catch (HttpFailure | IOException unheard) {
                connection.drop();
            }
        });
    }
}
