package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reader of the event stream that a session may have for messages of the server on its own (2025-11-25,
/// Transports, "Listening for Messages from the Server"). Reopens the stream when it ends, with a growing delay if
/// no event comes. Has one virtual thread until it is closed, or the server rejects the stream. Only [#awaitBegun]
/// blocks.
final class ServerEventListener {
    private static final System.Logger LOG = LazyLoggers.of(ServerEventListener.class);

    /// Servers that support no such stream reject it at once; a working stream lasts.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    /// Some servers send the head of the stream only with its first event.
    private static final Duration OPEN_WAIT = Duration.ofSeconds(1);

    private static final Duration NO_LIMIT = Duration.ofDays(10_000);

    private final StreamableHttpConnection connection;
    private final ProtocolHeaders.SessionHeaders sessionHeaders;
    private final RequestTimer timer;
    private final Promise<Boolean> begun = new Promise<>();
    private boolean hasBeenOpen;
    private @Nullable String lastId;
    private long pauseMillis = PAUSE.toMillis();
    private long retryMillis = -1;

    ServerEventListener(StreamableHttpConnection connection, ProtocolHeaders.SessionHeaders sessionHeaders) {
        this.connection = connection;
        this.sessionHeaders = sessionHeaders;
        this.timer = RequestTimer.start(
                connection.remote().platform(),
                new Deadline(
                        NO_LIMIT, Duration.ZERO, connection.remote().platform().ticker()));
    }

    void start() {
        Thread.ofVirtual().name("fusebox-http-listen").start(this::run);
    }

    /// Waits until the server has opened or rejected the stream, for a second at most.
    void awaitBegun() {
        try {
            begun.await(connection.remote().platform(), OPEN_WAIT);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        timer.expire();
    }

    private void run() {
        try (timer) {
            while (!timer.isExpired() && listen()) {
                RetryDelays.pause(connection.remote().platform(), timer, nextPauseMillis());
                pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE.toMillis());
            }
        }
    }

    private long nextPauseMillis() {
        long requested =
                connection.remote().retryAfterGate().left().plusMillis(1).toMillis();
        return Math.max(requested, Math.max(retryMillis, pauseMillis));
    }

    /// Reads one stream to its end; false if it must not be reopened.
    private boolean listen() {
        OutgoingRequest request = OutgoingRequest.without(
                "GET", connection.remote().target(), ProtocolHeaders.ofStream(sessionHeaders, lastId));
        try (StreamingResponse streamingResponse = connection.remote().send(request, timer)) {
            if (!streamingResponse.isStream()) {
                return refused(streamingResponse);
            }
            hasBeenOpen = true;
            begun.complete(true);
            SseReader events = new SseReader(
                    streamingResponse.content(),
                    connection.remote().outboundHttpClient().settings().maxBodyBytes());
            readEvents(events, streamingResponse);
            return true;
        } catch (HttpFailure | IOException lost) {
            return true;
        } catch (RuntimeException | Error ours) {
            LOG.log(
                    Level.ERROR,
                    connection.remote().name() + ": event stream failed with an internal error; reopening it",
                    ours);
            return true;
        } finally {
            begun.complete(false);
        }
    }

    /// Temporary failures are retried. Servers without such a stream may not know the method (405) or the path
    /// (404); for a stream that was open before, 404 means that the session is lost.
    private boolean refused(StreamingResponse streamingResponse) {
        int status = streamingResponse.status();
        connection.failure(streamingResponse, new byte[0]);
        if (status == 404 && hasBeenOpen && sessionHeaders.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(status));
        }
        return status == 429 || status == 408 || status >= 500;
    }

    private void readEvents(SseReader events, StreamingResponse streamingResponse) throws IOException {
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                pauseMillis = PAUSE.toMillis();
                connection.recordActivity();
                byte[] frame = JsonRpcFrames.onOneLine(event.data());
                connection.receive(
                        event.isMessage()
                                ? connection.remote().read(frame)
                                : new Message.Malformed(0, "unknown event type", null));
            }
        } catch (IOException broken) {
            streamingResponse.abort();
            throw broken;
        } finally {
            lastId = events.lastId() == null ? lastId : events.lastId();
            retryMillis = events.retryMillis();
        }
    }
}
