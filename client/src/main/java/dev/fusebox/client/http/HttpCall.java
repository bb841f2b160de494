package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
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

/// One request on its way over HTTP and back, all on its caller's thread: the POST, its answer as JSON or as a
/// stream of events. Used once.
final class HttpCall {
    private final StreamableHttpConnection connection;
    private final Call call;
    private final RequestTimer keeper;
    private final @Nullable String version;
    private final ProtocolHeaders.@Nullable Agreed agreed;
    private final long id;
    private final @Nullable JsonView progressToken;

    /// @param version the revision of a stateless request; null in a session
    HttpCall(StreamableHttpConnection connection, Call call, RequestTimer keeper, @Nullable String version) {
        this.connection = connection;
        this.call = call;
        this.keeper = keeper;
        this.version = version;
        this.agreed = version != null || isHandshake(call) ? null : connection.agreed();
        this.id = connection.remote().outboundHttpClient().nextId();
        this.progressToken = call.request().frame().path("params", "_meta", "progressToken");
    }

    private static boolean isHandshake(Call call) {
        return call.request().method().equals("initialize");
    }

    long id() {
        return id;
    }

    /// The session that the call belongs to; null if there is none, or none yet.
    ProtocolHeaders.@Nullable Agreed agreed() {
        return agreed;
    }

    @Nullable
    JsonView progressToken() {
        return progressToken;
    }

    void progress(byte[] restored) {
        call.caller().progress(restored);
    }

    /// Ends it from another thread.
    void cut() {
        keeper.end();
    }

    // ---- There and back

    Outcome run() {
        try {
            return read(connection.remote().outboundHttpClient().send(request(), keeper));
        } catch (HttpFailure httpFailure) {
            return failed(keeper.left() <= 0 ? over(httpFailure.failure().delivery()) : httpFailure.failure());
        }
    }

    private OutgoingRequest request() {
        Message.Request request = call.request();
        List<String> fields = version == null
                ? ProtocolHeaders.ofSession(agreed)
                : ProtocolHeaders.stateless(request, version, connection.tools());
        String number = Long.toString(id);
        byte[] body = Splice.of(request.frame())
                .replace(request.frame().member("id"), number)
                .replace(progressToken, number)
                .bytes();
        return OutgoingRequest.post(connection.remote().target(), fields, body).inOrder(call.slot());
    }

    private Outcome failed(CallFailure failure) {
        if (failure.delivery() == Delivery.UNKNOWN && keeper.isOver() && agreed != null) {
            String reason = call.deadline().isGivenUp() ? "cancelled by the client" : "no answer in time";
            String params = "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}";
            connection.tell(JsonRpcFrames.notification("notifications/cancelled", params));
        }
        return new Outcome.Failed(failure);
    }

    /// The time was over, the caller gave up, or the connection was closed.
    private CallFailure over(Delivery delivery) {
        boolean unsent = delivery == Delivery.NOT_SENT;
        CallFailure closed = connection.closedBecause();
        if (call.deadline().isGivenUp()) {
            return unsent ? CallFailure.cancelledUnsent() : CallFailure.cancelled();
        }
        if (closed != null) {
            return new CallFailure(closed.code(), closed.category(), delivery, closed.message(), closed.evidence());
        }
        if (unsent) {
            return CallFailure.notSent(ErrorCode.TIMEOUT, FailureCategory.LOCAL, "timed out before the call was sent");
        }
        Duration standstill = call.deadline().standstill();
        return standstill.isZero() ? CallFailure.timeout("no answer in time") : CallFailure.stoodStill(standstill);
    }

    private Outcome read(StreamingResponse streamingResponse) throws HttpFailure {
        connection.heard();
        try {
            Outcome outcome = outcome(streamingResponse);
            streamingResponse.close();
            return outcome;
        } catch (StreamingResponse.TooLarge large) {
            throw new HttpFailure(CallFailure.tooLarge(large.limit()));
        } catch (MemoryExhausted full) {
            throw new HttpFailure(CallFailure.noRoom());
        } catch (MalformedResponse | ZipException wrong) {
            throw HttpFailure.nonsense("invalid response body: " + wrong.getMessage());
        } catch (IOException lost) {
            throw HttpFailure.lineLost("connection lost before the response was complete");
        } finally {
            // Nothing if it was given back.
            streamingResponse.cut();
        }
    }

    private Outcome outcome(StreamingResponse streamingResponse) throws IOException, HttpFailure {
        if (streamingResponse.isStream()) {
            return answered(new ResponseStream(this, connection, keeper).answer(streamingResponse), streamingResponse);
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
            connection.agree(ProtocolHeaders.Agreed.of(result, streamingResponse));
        }
        if (result != null && version == null) {
            connection.keepTask(this, result);
        }
        boolean isList = version != null && call.request().method().equals("tools/list");
        return Outcome.of(isList ? connection.tools().learn(answer) : answer, call.request());
    }

    private Outcome refused(StreamingResponse streamingResponse) throws IOException {
        ErrorResponse errorResponse = ErrorResponse.read(streamingResponse, id, connection.remote());
        if (agreed != null && agreed.session() != null && errorResponse.isSessionLost()) {
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

    /// Our answer, if it is in there; all else goes where it belongs.
    Message.@Nullable Answer take(Message message) throws HttpFailure {
        switch (message) {
            case Message.Answer answer -> {
                if (isOurs(answer)) {
                    return answer;
                }
                connection.drop();
            }
            case Message.Notification notification -> told(notification);
            case Message.Request request -> asked(request);
            case Message.Malformed noise -> connection.drop();
            case Message.Batch batch -> {
                return batch(batch);
            }
        }
        return null;
    }

    private Message.@Nullable Answer batch(Message.Batch batch) throws HttpFailure {
        String revision = agreed == null ? version : agreed.version();
        if (!Message.Batch.isIn(revision)) {
            connection.drop();
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

    private void told(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/progress" -> connection.progressed(notification);
            case "notifications/cancelled" -> cancelled(notification);
            default -> call.caller().told(restored(notification, "_meta", ProtocolHeaders.SUBSCRIPTION));
        }
    }

    /// A session's server takes back its own question; a stateless one can only end the subscription it is sent
    /// on.
    private void cancelled(Message.Notification notification) {
        if (version == null) {
            connection.withdrawn(notification);
        } else {
            call.caller().told(restored(notification, "requestId"));
        }
    }

    /// A subscription is named by the id of its request, which the client knows as its own.
    ///
    /// @param path of the name within the parameters
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

    /// Servers of the stateless era may not ask on a stream; those that do are not heard.
    private void asked(Message.Request request) {
        if (version != null) {
            connection.drop();
        } else if (!connection.isPing(request) && !call.caller().asked(connection, request)) {
            connection.refuse(request);
        }
    }
}
