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

/// Listens to what the server says on its own, on the stream that a session may have for that (2025-11-25,
/// Transports, "Listening for Messages from the Server"). Comes back when the stream ends, more and more slowly if
/// nothing comes of it. Has one virtual thread until it is closed, or the server says that there is no such
/// stream.
final class ServerEventListener {
    private static final System.Logger LOG = LazyLoggers.of(ServerEventListener.class);

    /// Servers that keep no streams say so at once; a stream that works lasts.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    /// Some servers send the head of a stream only with its first event.
    private static final Duration BEGINNING = Duration.ofSeconds(1);

    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final StreamableHttpConnection connection;
    private final ProtocolHeaders.Agreed agreed;
    private final RequestTimer keeper;
    private final Promise<Boolean> begun = new Promise<>();
    private boolean hasBeenOpen;
    private @Nullable String lastId;
    private long pauseMillis = PAUSE.toMillis();
    private long retryMillis = -1;

    ServerEventListener(StreamableHttpConnection connection, ProtocolHeaders.Agreed agreed) {
        this.connection = connection;
        this.agreed = agreed;
        this.keeper = RequestTimer.start(
                connection.remote().platform(),
                new Deadline(
                        FOR_EVER, Duration.ZERO, connection.remote().platform().ticker()));
    }

    void start() {
        Thread.ofVirtual().name("fusebox-http-listen").start(this::run);
    }

    /// Waits until the server has opened the stream or said that there is none, for a moment at most.
    void awaitBegun() {
        try {
            begun.await(connection.remote().platform(), BEGINNING);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        keeper.end();
    }

    private void run() {
        try (keeper) {
            while (!keeper.isOver() && listen()) {
                RetryDelays.pause(connection.remote().platform(), keeper, nextPauseMillis());
                pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE.toMillis());
            }
        }
    }

    private long nextPauseMillis() {
        long wished = connection.remote().retryAfterGate().left().plusMillis(1).toMillis();
        return Math.max(wished, Math.max(retryMillis, pauseMillis));
    }

    /// One stream to its end; false if there will be no other.
    private boolean listen() {
        OutgoingRequest request =
                OutgoingRequest.without("GET", connection.remote().target(), ProtocolHeaders.ofStream(agreed, lastId));
        try (StreamingResponse streamingResponse =
                connection.remote().outboundHttpClient().send(request, keeper)) {
            if (!streamingResponse.isStream()) {
                return refused(streamingResponse);
            }
            hasBeenOpen = true;
            begun.bring(true);
            SseReader events = new SseReader(
                    streamingResponse.content(),
                    connection.remote().outboundHttpClient().settings().maxBodyBytes());
            hear(events, streamingResponse);
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
            begun.bring(false);
        }
    }

    /// What a server may recover from is tried again. Servers without such a stream may not know the method (405)
    /// or the path (404); of a stream that has been open, 404 says that the session is lost.
    private boolean refused(StreamingResponse streamingResponse) {
        int status = streamingResponse.status();
        connection.failure(streamingResponse, new byte[0]);
        if (status == 404 && hasBeenOpen && agreed.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(status));
        }
        return status == 429 || status == 408 || status >= 500;
    }

    private void hear(SseReader events, StreamingResponse streamingResponse) throws IOException {
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                pauseMillis = PAUSE.toMillis();
                connection.heard();
                byte[] frame = JsonRpcFrames.onOneLine(event.data());
                connection.receive(
                        event.isMessage()
                                ? connection.remote().read(frame)
                                : new Message.Malformed(0, "unknown event type", null));
            }
        } catch (IOException broken) {
            streamingResponse.cut();
            throw broken;
        } finally {
            lastId = events.lastId() == null ? lastId : events.lastId();
            retryMillis = events.retryMillis();
        }
    }
}
