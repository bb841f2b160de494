package dev.fusebox.client.http;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Event stream with the response to a call, and the streams that continue it: in a session, a stream that ends
/// before the response is resumed where it ended (2025-11-25, Transports, "Resumability and Redelivery"). Used
/// once, by the thread of its call; [#answer] blocks until the deadline of the call.
final class ResponseStream {
    /// Consecutive resumes without an event.
    private static final int MAX_EMPTY_RESUMES = 5;

    /// Resumes in all: a server that ends each stream after one event would never end.
    private static final int MAX_RESUMES = 1_000;

    private static final long RETRY_MILLIS = 1_000;
    /// The minimum delay, regardless of the server's request, to prevent a busy loop.
    private static final long SHORTEST_RETRY_MILLIS = 100;

    private final HttpCall call;
    private final StreamableHttpConnection connection;
    private final RequestTimer timer;
    private @Nullable String lastId;
    private long retryMillis = RETRY_MILLIS;
    private int reserved;
    private int emptyResumes;
    private int resumes;

    ResponseStream(HttpCall call, StreamableHttpConnection connection, RequestTimer timer) {
        this.call = call;
        this.connection = connection;
        this.timer = timer;
    }

    Message.Answer answer(StreamingResponse first) throws IOException, HttpFailure {
        Message.Answer answer = answerIn(first);
        while (answer == null) {
            answer = nextAnswer();
        }
        return answer;
    }

    private Message.@Nullable Answer nextAnswer() throws IOException, HttpFailure {
        ProtocolHeaders.SessionHeaders session = call.negotiatedSession();
        if (lastId == null || session == null || emptyResumes == MAX_EMPTY_RESUMES) {
            throw HttpFailure.connectionLost("the event stream ended before the response");
        }
        if (++resumes > MAX_RESUMES) {
            throw HttpFailure.connectionLost("the event stream ended " + MAX_RESUMES + " times before the response");
        }
        emptyResumes++;
        RetryDelays.pause(connection.remote().platform(), timer, pauseMillis());
        if (timer.isExpired()) {
            throw HttpFailure.connectionLost("timed out before the event stream was resumed");
        }
        StreamingResponse streamingResponse = reopen(session, lastId);
        if (streamingResponse == null) {
            return null;
        }
        try {
            return answerIn(streamingResponse);
        } finally {
            streamingResponse.abort();
        }
    }

    /// As the stream asked for, and not before the pause that the server asked for.
    private long pauseMillis() {
        long requested =
                connection.remote().retryAfterGate().left().plusMillis(1).toMillis();
        return Math.max(requested, Math.max(retryMillis, SHORTEST_RETRY_MILLIS));
    }

    /// Null if the server cannot be reached now, or asks for a pause.
    private @Nullable StreamingResponse reopen(ProtocolHeaders.SessionHeaders with, String from) throws HttpFailure {
        RemoteServer remote = connection.remote();
        StreamingResponse streamingResponse;
        try {
            streamingResponse = remote.send(
                    OutgoingRequest.without("GET", remote.target(), ProtocolHeaders.ofStream(with, from)), timer);
        } catch (HttpFailure unreachable) {
            return null;
        }
        if (streamingResponse.isStream()) {
            return streamingResponse;
        }
        streamingResponse.abort();
        if (connection.failure(streamingResponse, new byte[0]).retryAfter() != null) {
            return null;
        }
        if (streamingResponse.status() == 404 && with.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(404));
        }
        throw HttpFailure.connectionLost("the event stream ended before the response and could not be resumed (HTTP "
                + streamingResponse.status() + ")");
    }

    /// Null if the stream ends without it.
    private Message.@Nullable Answer answerIn(StreamingResponse streamingResponse) throws IOException, HttpFailure {
        SseReader events = new SseReader(
                streamingResponse.content(),
                connection.remote().outboundHttpClient().settings().maxBodyBytes(),
                reserved);
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                emptyResumes = 0;
                connection.recordActivity();
                byte[] frame = JsonRpcFrames.onOneLine(event.data());
                Message.Answer answer =
                        event.isMessage() ? call.take(connection.remote().read(frame)) : null;
                if (answer != null) {
                    streamingResponse.close();
                    return answer;
                }
            }
            streamingResponse.close();
        } catch (MalformedResponse | MemoryExhausted | StreamingResponse.TooLarge | ZipException wrong) {
            throw wrong;
        } catch (IOException lost) {
            streamingResponse.abort();
        } finally {
            emptyResumes = events.lastId() == null || events.lastId().equals(lastId) ? emptyResumes : 0;
            lastId = events.lastId() == null ? lastId : events.lastId();
            reserved = events.reserved();
            retryMillis = events.retryMillis() < 0 ? retryMillis : events.retryMillis();
        }
        return null;
    }
}
