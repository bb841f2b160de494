package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
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

/// One connection of the old transport as a wire: a virtual thread reads the stream, and one for each message
/// posts it, because some servers answer a POST only when its work is done. Thread-safe; only [#open] blocks.
///
/// What fails to be posted ends the wire: nobody could tell its sender otherwise.
final class SseWire implements Wire {
    private static final System.Logger LOG = LazyLoggers.of(SseWire.class);

    /// Says nothing about the server.
    private static final CallFailure OURS = CallFailure.broken();

    private static final List<String> FIELDS = List.of("Accept", ProtocolHeaders.EVENTS);
    private static final byte[] NOTHING = {};
    private static final int MOST_POSTING = 1_000;

    /// Refused in a row, with no message taken between them.
    private static final int MOST_REFUSALS = 3;
    /// How long the server may take to name its endpoint, once it is connected.
    private static final Duration ENDPOINT = Duration.ofSeconds(10);
    /// A POST that takes longer belongs to a call that has ended long ago.
    private static final Duration POSTING = Duration.ofMinutes(10);

    private static final Duration READY = Duration.ofSeconds(5);
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final RemoteServer remote;
    private final WireListener listener;
    private final ResponseClassifier responseClassifier;
    private final RequestTimer keeper;
    private final Promise<Endpoint> endpoint = new Promise<>();
    private final AtomicInteger posting = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicBoolean isLost = new AtomicBoolean();
    private final SendOrder order = new SendOrder();
    private volatile @Nullable Promise<Boolean> ready;

    /// Where to post, or why that is not known.
    private sealed interface Endpoint {
        record Known(HttpTarget target) implements Endpoint {}

        record Unknown(CallFailure failure) implements Endpoint {}
    }

    SseWire(RemoteServer remote, WireListener listener) {
        this.remote = remote;
        this.listener = listener;
        this.responseClassifier = remote.responseClassifier();
        this.keeper = RequestTimer.start(
                remote.platform(),
                new Deadline(FOR_EVER, Duration.ZERO, remote.platform().ticker()));
    }

    /// Waits for the endpoint; gives what went wrong, or null.
    @Nullable
    CallFailure open() {
        Thread.ofVirtual().name("fusebox-sse-read").start(this::read);
        try {
            Duration limit =
                    remote.outboundHttpClient().settings().connectTimeout().plus(ENDPOINT);
            return switch (endpoint.await(remote.platform(), limit)) {
                case null -> unsent("the server opened a stream and did not tell where to post");
                case Endpoint.Unknown unknown -> unknown.failure().unsent();
                case Endpoint.Known known -> null;
            };
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    private static CallFailure unsent(String message) {
        return CallFailure.notSent(ErrorCode.CONNECT_FAILED, FailureCategory.OTHER, message);
    }

    // ---- From the server

    private void read() {
        CallFailure end;
        int tooLong = 0;
        try (keeper) {
            end = listen();
        } catch (HttpFailure httpFailure) {
            end = httpFailure.failure();
        } catch (StreamingResponse.TooLarge large) {
            tooLong = large.limit();
            end = ended("an event was longer than " + large.limit() + " bytes");
        } catch (IOException lost) {
            end = ended("the stream was lost");
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, "reading a server's stream failed inside of the gateway, which ends it", ours);
            end = OURS;
        }
        try {
            if (tooLong > 0) {
                listener.tooLong(MessagePreview.of(NOTHING, NOTHING), tooLong + 1L, tooLong);
            }
        } finally {
            lose(end);
        }
    }

    private CallFailure listen() throws HttpFailure, IOException {
        try (StreamingResponse streamingResponse =
                remote.outboundHttpClient().send(OutgoingRequest.without("GET", remote.target(), FIELDS), keeper)) {
            if (!streamingResponse.isStream()) {
                return remote.retryAfterGate()
                        .heed(responseClassifier.of(streamingResponse, streamingResponse.first(1 << 10)));
            }
            SseReader events = new SseReader(
                    streamingResponse.content(),
                    remote.outboundHttpClient().settings().maxBodyBytes());
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                take(event);
            }
            return ended("the server ended the stream");
        }
    }

    private void take(SseReader.Event event) {
        if (event.type().equals("endpoint")) {
            endpoint.bring(endpoint(new String(event.data(), StandardCharsets.UTF_8)));
        } else if (event.isMessage()) {
            byte[] frame = JsonRpcFrames.onOneLine(event.data());
            listener.frame(frame, 0, frame.length);
        }
    }

    /// Elsewhere than where the stream comes from, nothing is posted: our headers are for that server only.
    private Endpoint endpoint(String text) {
        try {
            URI uri = remote.target().uri().resolve(text);
            return remote.target().origin().equals(Origin.of(uri))
                    ? new Endpoint.Known(remote.target().at(uri))
                    : new Endpoint.Unknown(unsent("the server wants messages to go to another origin"));
        } catch (IllegalArgumentException noAddress) {
            return new Endpoint.Unknown(unsent("the server's endpoint is no address"));
        }
    }

    private static CallFailure ended(String message) {
        return HttpFailure.lineLost(message).failure();
    }

    /// What waits may have been done or not, whatever the reason.
    private void lose(CallFailure why) {
        // Before the stream is ended, whose reader would give that as the reason.
        boolean isFirst = isLost.compareAndSet(false, true);
        endpoint.bring(new Endpoint.Unknown(why));
        keeper.end();
        if (isFirst) {
            listener.lost(new CallFailure(why.code(), why.category(), Delivery.UNKNOWN, why.message(), why.evidence()));
        }
    }

    // ---- To the server

    @Override
    public boolean send(byte[] frame) {
        if (isLost.get() || !(endpoint.now() instanceof Endpoint.Known(HttpTarget to))) {
            return false;
        }
        if (posting.incrementAndGet() > MOST_POSTING) {
            posting.decrementAndGet();
            return false;
        }
        Promise<Boolean> before = ready;
        Promise<Boolean> mine = isReady(frame) ? new Promise<>() : null;
        ready = mine == null ? before : mine;
        SendSlot slot = order.next();
        OutgoingRequest request = OutgoingRequest.post(to, FIELDS, frame).inOrder(slot);
        Thread.ofVirtual().name("fusebox-sse-post").start(() -> {
            try {
                post(request, mine == null ? before : null);
            } finally {
                slot.leave();
                posting.decrementAndGet();
                if (mine != null) {
                    mine.bring(true);
                }
            }
        });
        return true;
    }

    private static boolean isReady(byte[] frame) {
        return Message.read(frame) instanceof Message.Notification notification
                && notification.method().equals("notifications/initialized");
    }

    /// @param before what the server shall have heard first; null for nothing
    private void post(OutgoingRequest request, @Nullable Promise<Boolean> before) {
        byte[] frame = request.body();
        try (RequestTimer limit = RequestTimer.start(remote.platform(), POSTING)) {
            if (before != null) {
                before.await(remote.platform(), READY);
            }
            try (StreamingResponse streamingResponse =
                    remote.outboundHttpClient().send(request, limit)) {
                byte[] shown = streamingResponse.first(1 << 10);
                if (streamingResponse.status() / 100 == 2) {
                    refusals.set(0);
                } else {
                    refused(
                            frame,
                            streamingResponse.status(),
                            remote.retryAfterGate().heed(responseClassifier.of(streamingResponse, shown)));
                }
            }
        } catch (HttpFailure httpFailure) {
            listener.refused(frame, httpFailure.failure());
        } catch (IOException lost) {
            listener.refused(frame, ended("the connection was lost while a message was posted"));
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, "posting a message to a server failed inside of the gateway", ours);
            listener.refused(frame, OURS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// One message that is refused is nobody else's trouble as long as the stream stands; but where nobody knows
    /// the session, no message will ever be taken. Some servers say that with a status that says it of a message,
    /// too.
    private void refused(byte[] frame, int status, CallFailure failure) {
        int bad = status == 400 ? refusals.incrementAndGet() : 0;
        if (status == 404 || status == 410 || bad >= MOST_REFUSALS) {
            lose(failure);
        } else {
            listener.refused(frame, failure);
        }
    }

    @Override
    public void close() {
        lose(new CallFailure(
                ErrorCode.CANCELLED,
                FailureCategory.LOCAL,
                Delivery.UNKNOWN,
                "the connection was closed",
                Evidence.NONE));
    }
}
