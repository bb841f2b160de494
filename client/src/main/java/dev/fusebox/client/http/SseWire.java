package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Promise;
import dev.fusebox.client.SendOrder;
import dev.fusebox.client.SendSlot;
import dev.fusebox.client.Wire;
import dev.fusebox.client.WireListener;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.http.Origin;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// [Wire] over the transport of revision 2024-11-05: a virtual thread reads the event stream, and one for each
/// message posts it, because some servers respond to a POST only when its work is done. Thread-safe; only [#open]
/// blocks.
final class SseWire implements Wire {
    private static final System.Logger LOG = LazyLoggers.of(SseWire.class);

    /// Says nothing about the server.
    private static final CallFailure INTERNAL_ERROR = CallFailure.broken();

    private static final List<String> FIELDS = List.of("Accept", ProtocolHeaders.EVENTS);
    private static final byte[] NOTHING = {};
    private static final int MAX_CONCURRENT_POSTS = 1_000;

    /// Consecutive rejections, with no message accepted between them.
    private static final int MAX_REFUSALS = 3;
    /// How long the server may take to send its endpoint after connecting.
    private static final Duration ENDPOINT_TIMEOUT = Duration.ofSeconds(10);
    /// A POST that takes longer belongs to a call that has ended long ago.
    private static final Duration POST_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration INITIALIZED_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration NO_LIMIT = Duration.ofDays(10_000);

    private final RemoteServer remote;
    private final WireListener listener;
    private final ResponseClassifier responseClassifier;
    private final RequestTimer timer;
    private final Promise<Endpoint> endpoint = new Promise<>();
    private final AtomicInteger posting = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicBoolean isLost = new AtomicBoolean();
    private final SendOrder order = new SendOrder();
    private volatile @Nullable Promise<Boolean> initialized;

    /// Where to post messages, or why that is unknown.
    private sealed interface Endpoint {
        record Known(HttpTarget target) implements Endpoint {}

        record Unknown(CallFailure failure) implements Endpoint {}
    }

    SseWire(RemoteServer remote, WireListener listener) {
        this.remote = remote;
        this.listener = listener;
        this.responseClassifier = remote.responseClassifier();
        this.timer = RequestTimer.start(
                remote.platform(),
                new Deadline(NO_LIMIT, Duration.ZERO, remote.platform().ticker()));
    }

    /// Waits for the endpoint; returns the failure, or null.
    @Nullable
    CallFailure open() {
        Thread.ofVirtual().name("fusebox-sse-read").start(this::read);
        try {
            Duration limit =
                    remote.outboundHttpClient().settings().connectTimeout().plus(ENDPOINT_TIMEOUT);
            return switch (endpoint.await(remote.platform(), limit)) {
                case null -> unsent("the server opened an event stream but sent no endpoint event");
                case Endpoint.Unknown unknown -> unknown.failure().unsent();
                case Endpoint.Known known -> null;
            };
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    private static CallFailure unsent(String message) {
        return CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OTHER, message);
    }

    // ---- From the server

    private void read() {
        CallFailure end;
        int tooLong = 0;
        try (timer) {
            end = readStream();
        } catch (HttpFailure httpFailure) {
            end = httpFailure.failure();
        } catch (StreamingResponse.TooLarge large) {
            tooLong = large.limit();
            end = ended("event larger than " + large.limit() + " bytes");
        } catch (IOException lost) {
            end = ended("the event stream was lost");
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, remote.name() + ": event stream failed with an internal error; closing it", ours);
            end = INTERNAL_ERROR;
        }
        try {
            if (tooLong > 0) {
                listener.tooLong(MessagePreview.of(NOTHING, NOTHING), tooLong + 1L, tooLong);
            }
        } finally {
            fail(end);
        }
    }

    private CallFailure readStream() throws HttpFailure, IOException {
        try (StreamingResponse streamingResponse =
                remote.send(OutgoingRequest.without("GET", remote.target(), FIELDS), timer)) {
            if (!streamingResponse.isStream()) {
                return remote.retryAfterGate()
                        .record(responseClassifier.of(streamingResponse, streamingResponse.readable(1 << 10)));
            }
            SseReader events = new SseReader(
                    streamingResponse.content(),
                    remote.outboundHttpClient().settings().maxBodyBytes());
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                take(event);
            }
            return ended("the server closed the event stream");
        }
    }

    private void take(SseReader.Event event) {
        if (event.type().equals("endpoint")) {
            endpoint.complete(endpoint(new String(event.data(), StandardCharsets.UTF_8)));
        } else if (event.isMessage()) {
            byte[] frame = JsonRpcFrames.onOneLine(event.data());
            listener.frame(frame, 0, frame.length);
        }
    }

    /// Messages are posted only to the origin of the stream, since the headers are for that server only.
    private Endpoint endpoint(String text) {
        try {
            URI uri = remote.target().uri().resolve(text);
            return remote.target().origin().equals(Origin.of(uri))
                    ? new Endpoint.Known(remote.target().at(uri))
                    : new Endpoint.Unknown(unsent("the endpoint event of the server names another origin"));
        } catch (IllegalArgumentException noAddress) {
            return new Endpoint.Unknown(unsent("the endpoint event of the server is not a URL"));
        }
    }

    private static CallFailure ended(String message) {
        return HttpFailure.connectionLost(message).failure();
    }

    /// Pending calls may have been executed or not, whatever the cause.
    private void fail(CallFailure why) {
        // Before the stream is closed, so that its reader does not report that as the cause.
        boolean isFirst = isLost.compareAndSet(false, true);
        endpoint.complete(new Endpoint.Unknown(why));
        timer.expire();
        if (isFirst) {
            listener.lost(why.withDelivery(Delivery.UNKNOWN));
        }
    }

    // ---- To the server

    @Override
    public boolean send(byte[] frame) {
        if (isLost.get() || !(endpoint.now() instanceof Endpoint.Known(HttpTarget to))) {
            return false;
        }
        if (posting.incrementAndGet() > MAX_CONCURRENT_POSTS) {
            posting.decrementAndGet();
            return false;
        }
        Promise<Boolean> before = initialized;
        Promise<Boolean> own = isInitialized(frame) ? new Promise<>() : null;
        initialized = own == null ? before : own;
        SendSlot slot = order.next();
        OutgoingRequest request = OutgoingRequest.post(to, FIELDS, frame).inOrder(slot);
        Thread.ofVirtual().name("fusebox-sse-post").start(() -> {
            try {
                post(request, own == null ? before : null);
            } finally {
                slot.release();
                posting.decrementAndGet();
                if (own != null) {
                    own.complete(true);
                }
            }
        });
        return true;
    }

    private static boolean isInitialized(byte[] frame) {
        return Message.read(frame) instanceof Message.Notification notification
                && notification.method().equals("notifications/initialized");
    }

    /// @param before completed when the server has processed an earlier message that must come first; null for
    /// none
    private void post(OutgoingRequest request, @Nullable Promise<Boolean> before) {
        byte[] frame = request.body();
        try (RequestTimer limit = RequestTimer.start(remote.platform(), POST_TIMEOUT)) {
            if (before != null) {
                before.await(remote.platform(), INITIALIZED_TIMEOUT);
            }
            try (StreamingResponse streamingResponse = remote.send(request, limit)) {
                byte[] shown = streamingResponse.readable(1 << 10);
                if (streamingResponse.status() / 100 == 2) {
                    refusals.set(0);
                } else {
                    refused(
                            frame,
                            streamingResponse.status(),
                            remote.retryAfterGate().record(responseClassifier.of(streamingResponse, shown)));
                }
            }
        } catch (HttpFailure httpFailure) {
            listener.refused(frame, httpFailure.failure());
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, remote.name() + ": posting a message failed with an internal error", ours);
            listener.refused(frame, INTERNAL_ERROR);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// A rejected message affects only its own call as long as the stream is open. If the server no longer knows
    /// the session, it accepts no message at all; some servers use a status for that which others use for a single
    /// message.
    private void refused(byte[] frame, int status, CallFailure failure) {
        int bad = status == 400 ? refusals.incrementAndGet() : 0;
        if (status == 404 || status == 410 || bad >= MAX_REFUSALS) {
            fail(failure);
        } else {
            listener.refused(frame, failure);
        }
    }

    @Override
    public void close() {
        fail(new CallFailure(
                ErrorId.CANCELLED,
                FailureCategory.LOCAL,
                Delivery.UNKNOWN,
                "the connection was closed",
                Evidence.NONE));
    }
}
