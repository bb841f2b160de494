package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// One request over HTTP and its response, as JSON or as an event stream, all on the thread of the caller. Used
/// once; [#run] blocks, [#abort] is for any thread.
final class HttpCall {
    private final StreamableHttpConnection connection;
    private final Call call;
    private final RequestTimer timer;
    private final @Nullable String version;
    private final ProtocolHeaders.@Nullable SessionHeaders negotiatedSession;
    private final long id;
    private final @Nullable JsonView progressToken;

    /// @param version the revision of a stateless request; null in a session
    HttpCall(StreamableHttpConnection connection, Call call, RequestTimer timer, @Nullable String version) {
        this.connection = connection;
        this.call = call;
        this.timer = timer;
        this.version = version;
        this.negotiatedSession = version != null || isHandshake(call) ? null : connection.negotiatedSession();
        this.id = connection.remote().outboundHttpClient().nextId();
        this.progressToken = call.progressToken();
    }

    private static boolean isHandshake(Call call) {
        return call.request().method().equals("initialize");
    }

    long id() {
        return id;
    }

    /// The session of the call; null if there is none, or none yet.
    ProtocolHeaders.@Nullable SessionHeaders negotiatedSession() {
        return negotiatedSession;
    }

    @Nullable
    JsonView progressToken() {
        return progressToken;
    }

    void progress(byte[] restored) {
        call.caller().progress(restored);
    }

    /// Ends the call from another thread.
    void abort() {
        timer.expire();
    }

    // ---- Request and response

    Outcome run() {
        try {
            return read(connection.remote().send(request(), timer, call.request()));
        } catch (HttpFailure httpFailure) {
            return failed(timer.left() <= 0 ? over(httpFailure.failure().delivery()) : httpFailure.failure());
        }
    }

    private OutgoingRequest request() {
        Message.Request request = call.request();
        List<String> fields = version == null
                ? ProtocolHeaders.ofSession(negotiatedSession)
                : ProtocolHeaders.stateless(request, version, connection.tools());
        String number = Long.toString(id);
        return OutgoingRequest.post(connection.remote().target(), fields, call.frame(number, progressToken))
                .inOrder(call.slot());
    }

    private Outcome failed(CallFailure failure) {
        if (failure.delivery() == Delivery.UNKNOWN && timer.isExpired() && negotiatedSession != null) {
            String reason =
                    call.deadline().isGivenUp() ? "cancelled by the client" : "timed out waiting for the response";
            String params = "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}";
            connection.sendOneWay(JsonRpcFrames.notification("notifications/cancelled", params));
        }
        return new Outcome.Failed(failure);
    }

    /// The deadline passed, the caller gave up, or the connection was closed.
    private CallFailure over(Delivery delivery) {
        boolean unsent = delivery == Delivery.NOT_SENT;
        CallFailure closed = connection.closedBecause();
        if (call.deadline().isGivenUp()) {
            return unsent ? CallFailure.cancelledUnsent() : CallFailure.cancelled();
        }
        if (closed != null) {
            return closed.withDelivery(delivery);
        }
        if (unsent) {
            return CallFailure.notSent(
                    ErrorId.CALL_TIMEOUT, FailureCategory.LOCAL, "timed out before the call was sent");
        }
        Duration standstill = call.deadline().standstill();
        return standstill.isZero()
                ? CallFailure.timeout("timed out waiting for the response")
                : CallFailure.gatewaySuspended(standstill);
    }

    private Outcome read(StreamingResponse streamingResponse) throws HttpFailure {
        connection.recordActivity();
        try {
            Outcome outcome = outcome(streamingResponse);
            streamingResponse.close();
            return outcome;
        } catch (StreamingResponse.TooLarge large) {
            throw new HttpFailure(CallFailure.tooLarge(large.limit()));
        } catch (MemoryExhausted full) {
            throw new HttpFailure(CallFailure.outOfMemory());
        } catch (MalformedResponse | ZipException wrong) {
            throw HttpFailure.protocolViolation("invalid response body: " + wrong.getMessage());
        } catch (IOException lost) {
            throw HttpFailure.connectionLost("connection lost before the response was complete");
        } finally {
            // Has no effect on a connection that was released.
            streamingResponse.abort();
        }
    }

    private Outcome outcome(StreamingResponse streamingResponse) throws IOException, HttpFailure {
        if (streamingResponse.isStream()) {
            return answered(new ResponseStream(this, connection, timer).answer(streamingResponse), streamingResponse);
        }
        boolean mayBeJson =
                streamingResponse.isJson() || streamingResponse.type().isEmpty();
        return streamingResponse.status() == 200 && mayBeJson ? json(streamingResponse) : refused(streamingResponse);
    }

    private Outcome json(StreamingResponse streamingResponse) throws IOException, HttpFailure {
        byte[] body = JsonRpcFrames.onOneLine(streamingResponse.bytes());
        Message.Answer answer = take(connection.remote().read(body));
        return answer != null ? answered(answer, streamingResponse) : failedWith(streamingResponse, body);
    }

    private Outcome answered(Message.Answer answer, StreamingResponse streamingResponse) throws HttpFailure {
        JsonView result = answer.result();
        if (result != null && isHandshake(call) && version == null) {
            connection.agree(ProtocolHeaders.SessionHeaders.of(result, streamingResponse));
        }
        if (result != null && version == null) {
            connection.keepTask(this, result);
        }
        boolean isList = version != null && call.request().method().equals("tools/list");
        return Outcome.of(isList ? connection.tools().learn(answer) : answer, call.request());
    }

    private Outcome refused(StreamingResponse streamingResponse) throws IOException {
        ErrorResponse errorResponse = ErrorResponse.read(streamingResponse, id, connection.remote());
        if (negotiatedSession != null && negotiatedSession.session() != null && errorResponse.isSessionLost()) {
            CallFailure gone = StreamableHttpConnection.sessionLost(streamingResponse.status());
            connection.retire(gone);
            return new Outcome.Failed(gone);
        }
        Message.Answer found = version == null ? errorResponse.own() : errorResponse.ownOrNameless();
        return found != null ? Outcome.of(found, call.request()) : failedWith(streamingResponse, errorResponse.body());
    }

    private Outcome failedWith(StreamingResponse streamingResponse, byte[] body) {
        return new Outcome.Failed(connection.failure(streamingResponse, body));
    }

    // ---- Messages

    /// Returns the response to this call if the message contains it; passes on all other messages.
    Message.@Nullable Answer take(Message message) throws HttpFailure {
        switch (message) {
            case Message.Answer answer -> {
                if (isOurs(answer)) {
                    return answer;
                }
                connection.countDropped();
            }
            case Message.Notification notification -> onNotification(notification);
            case Message.Request request -> onRequest(request);
            case Message.Malformed noise -> connection.countDropped();
            case Message.Batch batch -> {
                return batch(batch);
            }
        }
        return null;
    }

    private Message.@Nullable Answer batch(Message.Batch batch) throws HttpFailure {
        String revision = negotiatedSession == null ? version : negotiatedSession.version();
        if (!Message.Batch.isIn(revision)) {
            connection.countDropped();
            if (batch.messages().anyMatch(inner -> inner instanceof Message.Answer answer && isOurs(answer))) {
                throw new HttpFailure(CallFailure.batched(revision));
            }
            return null;
        }
        Message.Answer found = null;
        for (Message inner : batch.messages().toList()) {
            Message.Answer ours = inner instanceof Message.Batch ? null : take(inner);
            found = found == null ? ours : found;
        }
        return found;
    }

    private boolean isOurs(Message.Answer answer) {
        return answer.id().number() == id;
    }

    private void onNotification(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/progress" -> connection.progressed(notification);
            case "notifications/cancelled" -> cancelled(notification);
            default -> call.caller().onNotification(restored(notification, "_meta", ProtocolHeaders.SUBSCRIPTION));
        }
    }

    /// In a session, the server withdraws its own request; a stateless server can only end the subscription of
    /// this stream.
    private void cancelled(Message.Notification notification) {
        if (version == null) {
            connection.onCancelled(notification);
        } else {
            call.caller().onNotification(restored(notification, "requestId"));
        }
    }

    /// A subscription is identified by the id of its request, which the client knows by its own id.
    ///
    /// @param path of the identifier within the parameters
    private Message.Notification restored(Message.Notification notification, String... path) {
        JsonView params = notification.params();
        JsonView name = version == null || params == null ? null : params.path(path);
        JsonView own = call.request().frame().member("id");
        if (name == null || own == null || !name.json().equals(Long.toString(id))) {
            return notification;
        }
        byte[] frame = Splice.of(notification.frame()).replace(name, own.json()).bytes();
        return Message.read(frame) instanceof Message.Notification known ? known : notification;
    }

    /// Servers of the stateless era must not send requests on a stream; such requests are dropped.
    private void onRequest(Message.Request request) {
        if (version != null) {
            connection.countDropped();
        } else if (!connection.isPing(request) && !call.caller().onRequest(connection, request)) {
            connection.refuse(request);
        }
    }
}
