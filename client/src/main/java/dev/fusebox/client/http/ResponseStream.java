package dev.fusebox.client.http;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// The stream of events that a call is answered on, and those that continue it: in a session one that ends before
/// the answer is taken up again where it ended (2025-11-25, Transports, "Resumability and Redelivery"). Used once,
/// by the thread of its call; [#answer] blocks until the call's time is over.
final class ResponseStream {
    /// Times that a stream may be taken up again in a row without an event on it.
    private static final int MOST_FRUITLESS = 5;

    /// Times that it may be taken up again at all: a server that ends each stream after one event would never end.
    private static final int MOST_RESUMES = 1_000;

    private static final long RETRY_MILLIS = 1_000;
    /// Less would be a loop, whatever the server wants.
    private static final long SHORTEST_RETRY_MILLIS = 100;

    private static final long LONGEST_RETRY_MILLIS = 30_000;

    private final HttpCall call;
    private final StreamableHttpConnection connection;
    private final RequestTimer keeper;
    private @Nullable String lastId;
    private long retryMillis = RETRY_MILLIS;
    private int room;
    private int fruitless;
    private int resumes;

    ResponseStream(HttpCall call, StreamableHttpConnection connection, RequestTimer keeper) {
        this.call = call;
        this.connection = connection;
        this.keeper = keeper;
    }

    Message.Answer answer(StreamingResponse first) throws IOException, HttpFailure {
        Message.Answer answer = answerIn(first);
        while (answer == null) {
            answer = nextAnswer();
        }
        return answer;
    }

    private Message.@Nullable Answer nextAnswer() throws IOException, HttpFailure {
        ProtocolHeaders.Agreed session = call.agreed();
        if (lastId == null || session == null || fruitless == MOST_FRUITLESS) {
            throw HttpFailure.lineLost("the event stream ended before the response");
        }
        if (++resumes > MOST_RESUMES) {
            throw HttpFailure.lineLost("the event stream ended " + MOST_RESUMES + " times before the response");
        }
        fruitless++;
        RetryDelays.pause(connection.remote().platform(), keeper, pauseMillis());
        if (keeper.isOver()) {
            throw HttpFailure.lineLost("timed out before the event stream was resumed");
        }
        StreamingResponse streamingResponse = comeBack(session, lastId);
        if (streamingResponse == null) {
            return null;
        }
        try {
            return answerIn(streamingResponse);
        } finally {
            streamingResponse.cut();
        }
    }

    /// As the stream asked for, and no sooner than the server did.
    private long pauseMillis() {
        long wished = connection.remote().retryAfterGate().left().plusMillis(1).toMillis();
        return Math.max(wished, Math.clamp(retryMillis, SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS));
    }

    /// Null if the server cannot be reached for now, or wants to be asked later.
    private @Nullable StreamingResponse comeBack(ProtocolHeaders.Agreed with, String from) throws HttpFailure {
        RemoteServer remote = connection.remote();
        StreamingResponse streamingResponse;
        try {
            streamingResponse = remote.outboundHttpClient()
                    .send(
                            OutgoingRequest.without("GET", remote.target(), ProtocolHeaders.ofStream(with, from)),
                            keeper);
        } catch (HttpFailure unreachable) {
            return null;
        }
        if (streamingResponse.isStream()) {
            return streamingResponse;
        }
        streamingResponse.cut();
        if (connection.failure(streamingResponse, new byte[0]).retryAfter() != null) {
            return null;
        }
        if (streamingResponse.status() == 404 && with.session() != null) {
            connection.retire(StreamableHttpConnection.sessionLost(404));
        }
        throw HttpFailure.lineLost("the event stream ended before the response and could not be resumed (HTTP "
                + streamingResponse.status() + ")");
    }

    /// Null if the stream ends without it, in whatever way.
    private Message.@Nullable Answer answerIn(StreamingResponse streamingResponse) throws IOException, HttpFailure {
        SseReader events = new SseReader(
                streamingResponse.content(),
                connection.remote().outboundHttpClient().settings().maxBodyBytes(),
                room);
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                fruitless = 0;
                connection.heard();
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
            streamingResponse.cut();
        } finally {
            fruitless = events.lastId() == null || events.lastId().equals(lastId) ? fruitless : 0;
            lastId = events.lastId() == null ? lastId : events.lastId();
            room = events.room();
            retryMillis = events.retryMillis() < 0 ? retryMillis : events.retryMillis();
        }
        return null;
    }
}
