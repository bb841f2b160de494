package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.Call;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Reached;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.io.IOException;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// One request on its way over HTTP and back, all on its caller's thread: the POST, its answer as JSON or as a stream
/// of events, and the stream taken up again if it ended before the answer. Used once.
final class HttpCall {
    /// Enough of a refusal to find a message in it.
    private static final int MOST_OF_REFUSAL = 64 << 10;

    private final HttpConnection connection;
    private final Call call;
    private final Timekeeper keeper;
    private final @Nullable String version;
    private final Era.@Nullable Agreed agreed;
    private final long id;
    private final @Nullable JsonView progressToken;

    /// @param version the revision of a stateless request; null in a session
    HttpCall(HttpConnection connection, Call call, Timekeeper keeper, @Nullable String version) {
        this.connection = connection;
        this.call = call;
        this.keeper = keeper;
        this.version = version;
        this.agreed = version != null || isHandshake(call) ? null : connection.agreed();
        this.id = connection.outbound().nextId();
        this.progressToken = call.request().frame().path("params", "_meta", "progressToken");
    }

    private static boolean isHandshake(Call call) {
        return call.request().method().equals("initialize");
    }

    long id() {
        return id;
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
            return read(connection.outbound().send(request(), keeper));
        } catch (Trouble trouble) {
            return failed(keeper.isOver() ? over(trouble.fault().reached()) : trouble.fault());
        }
    }

    private Request request() {
        Message.Request request = call.request();
        List<String> fields =
                version == null ? Era.ofSession(agreed) : Era.stateless(request, version, connection.tools());
        String number = Long.toString(id);
        byte[] body = Splice.of(request.frame())
                .replace(request.frame().member("id"), number)
                .replace(progressToken, number)
                .bytes();
        return Request.post(connection.target(), fields, body);
    }

    private Outcome failed(Fault fault) {
        if (fault.reached() == Reached.UNKNOWN && keeper.isOver() && agreed != null) {
            String reason = call.patience().isGivenUp() ? "cancelled by the client" : "no answer in time";
            String params = "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}";
            connection.tell(Frames.notification("notifications/cancelled", params));
        }
        return new Outcome.Failed(fault);
    }

    /// The time was over, the caller gave up, or the connection was closed.
    private Fault over(Reached reached) {
        boolean unsent = reached == Reached.NOT_SENT;
        Fault closed = connection.closedBecause();
        if (call.patience().isGivenUp()) {
            return unsent ? Fault.cancelledUnsent() : Fault.cancelled();
        }
        if (closed != null) {
            return new Fault(closed.code(), closed.category(), reached, closed.message(), closed.evidence());
        }
        return unsent
                ? Fault.notSent(FaultCode.TIMEOUT, Category.LOCAL, "the server could not be reached in time")
                : Fault.timeout("no answer in time");
    }

    private Outcome read(Reply reply) throws Trouble {
        try {
            Outcome outcome = outcome(reply);
            reply.close();
            return outcome;
        } catch (Reply.TooLarge large) {
            throw tooLarge(large.limit());
        } catch (Malformed | ZipException wrong) {
            throw Trouble.nonsense("the body of the answer cannot be read: " + wrong.getMessage());
        } catch (IOException lost) {
            throw Trouble.lineLost("the connection was lost before the answer was complete");
        } finally {
            // Nothing if it was given back.
            reply.cut();
        }
    }

    /// How much there would have been is not known: the rest was not read.
    private static Trouble tooLarge(int limit) {
        String message = "result too large (more than " + (limit >> 20) + " MiB)";
        return new Trouble(
                new Fault(FaultCode.PROTOCOL_VIOLATION, Category.PROTOCOL, Reached.REJECTED, message, Evidence.NONE));
    }

    private Outcome outcome(Reply reply) throws IOException, Trouble {
        String type = reply.type();
        if (reply.status() == 200 && type.equals(Era.EVENTS)) {
            return answered(new Streams(reply).answer(), reply);
        }
        if (reply.status() == 200 && (isJson(type) || type.isEmpty())) {
            return json(reply);
        }
        return refused(reply);
    }

    private static boolean isJson(String type) {
        return type.equals("application/json") || type.endsWith("+json");
    }

    private Outcome json(Reply reply) throws IOException, Trouble {
        byte[] body = Frames.onOneLine(reply.bytes());
        Message.Answer answer = take(Message.read(body, 0, body.length));
        return answer != null
                ? answered(answer, reply)
                : new Outcome.Failed(connection.verdict().of(reply, body));
    }

    private Outcome answered(Message.Answer answer, Reply reply) throws Trouble {
        JsonView result = answer.result();
        if (result != null && isHandshake(call) && version == null) {
            connection.agree(agreed(result, reply));
        }
        if (result != null && version == null) {
            connection.keepTask(this, result);
        }
        boolean isList = version != null && call.request().method().equals("tools/list");
        return new Outcome.Answered(isList ? connection.tools().learn(answer) : answer);
    }

    private static Era.Agreed agreed(JsonView result, Reply reply) throws Trouble {
        List<String> sessions = reply.fields().values(Era.SESSION);
        if (sessions.size() > 1 || (!sessions.isEmpty() && !Texts.isVisible(sessions.getFirst()))) {
            throw Trouble.nonsense("the server gave a session id that cannot be sent back");
        }
        String spoken = result.string("protocolVersion");
        boolean sendable = spoken != null && Texts.isVisible(spoken);
        return new Era.Agreed(sessions.isEmpty() ? null : sessions.getFirst(), sendable ? spoken : null);
    }

    // ---- Refusals

    private Outcome refused(Reply reply) throws IOException {
        byte[] body = Frames.onOneLine(reply.first(MOST_OF_REFUSAL));
        int status = reply.status();
        boolean mayCarry = status / 100 == 4 && status != 401 && status != 403 && status != 408 && status != 429;
        Message message = mayCarry && isJson(reply.type()) ? Message.read(body, 0, body.length) : null;
        Message.Answer ours = message instanceof Message.Answer answer && isOurs(answer) ? answer : null;
        if (agreed != null && agreed.session() != null && isSessionLost(reply, ours, body)) {
            Fault gone = HttpConnection.sessionLost(status);
            connection.retire(gone);
            return new Outcome.Failed(gone);
        }
        Message.Answer nameless = ours == null && message != null && version != null ? nameless(body) : null;
        Message.Answer found = ours == null ? nameless : ours;
        return found != null
                ? new Outcome.Answered(found)
                : new Outcome.Failed(connection.verdict().of(reply, body));
    }

    /// 404 is what the specification wants; older servers say 400, in an error that is nobody's answer, or in plain
    /// text. A request that was well-formed enough for its own answer belongs to a session that lives.
    private static boolean isSessionLost(Reply reply, Message.@Nullable Answer ours, byte[] body) {
        if (reply.status() == 404) {
            return ours == null || !"-32601".equals(code(ours.frame()));
        }
        if (reply.status() != 400 || ours != null) {
            return false;
        }
        String code = isJson(reply.type()) ? code(body) : null;
        boolean isPlain = reply.type().isEmpty() || reply.type().equals("text/plain");
        return isPlain || "-32000".equals(code) || "-32001".equals(code) || "-32600".equals(code);
    }

    private static @Nullable String code(JsonView frame) {
        JsonView code = frame.path("error", "code");
        return code == null ? null : code.json();
    }

    private static @Nullable String code(byte[] body) {
        try {
            return code(JsonView.parse(body));
        } catch (JsonFault noJson) {
            return null;
        }
    }

    /// An error without an id, from a server that refused before it read one: there was but one request.
    private Message.@Nullable Answer nameless(byte[] body) {
        try {
            JsonView frame = JsonView.parse(body);
            JsonView error = frame.member("error");
            JsonView given = frame.member("id");
            if (error == null || code(frame) == null || (given != null && !given.isNull())) {
                return null;
            }
            byte[] named = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" + error.json() + "}").getBytes(UTF_8);
            return Message.read(named, 0, named.length) instanceof Message.Answer answer ? answer : null;
        } catch (JsonFault noJson) {
            return null;
        }
    }

    // ---- Messages

    /// Our answer, if it is in there; all else goes where it belongs.
    private Message.@Nullable Answer take(Message message) {
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

    private Message.@Nullable Answer batch(Message.Batch batch) {
        Message.Answer found = null;
        for (JsonView element : batch.frame().elements()) {
            Message inner = Message.of(element);
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
            default -> call.caller().told(restored(notification, "_meta", Era.SUBSCRIPTION));
        }
    }

    /// A session's server takes back its own question; a stateless one can only end the subscription it is sent on.
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
        return Message.read(frame, 0, frame.length) instanceof Message.Notification known ? known : notification;
    }

    /// Servers of the stateless era may not ask on a stream; those that do are not heard.
    private void asked(Message.Request request) {
        if (version != null) {
            connection.drop();
        } else if (!connection.isPing(request) && !call.caller().asked(connection, request)) {
            connection.refuse(request);
        }
    }

    /// The stream of the answer, and those that continue it.
    private final class Streams {
        /// Times that a stream may be taken up again in a row without an event on it.
        private static final int MOST_FRUITLESS = 5;

        private static final long RETRY_MILLIS = 1_000;
        private static final long LONGEST_RETRY_MILLIS = 30_000;

        private final Reply first;
        private @Nullable String lastId;
        private long retryMillis = RETRY_MILLIS;
        private int fruitless;

        Streams(Reply first) {
            this.first = first;
        }

        Message.Answer answer() throws IOException, Trouble {
            Message.Answer answer = answerIn(first);
            while (answer == null) {
                answer = nextAnswer();
            }
            return answer;
        }

        private Message.@Nullable Answer nextAnswer() throws IOException, Trouble {
            if (version != null || lastId == null || agreed == null || fruitless == MOST_FRUITLESS) {
                throw Trouble.lineLost("the stream ended before the answer");
            }
            fruitless++;
            Pauses.pause(connection.world(), keeper, Math.min(retryMillis, LONGEST_RETRY_MILLIS));
            if (keeper.isOver()) {
                throw Trouble.lineLost("the time was over before the stream could be taken up again");
            }
            Reply reply = comeBack(agreed, lastId);
            if (reply == null) {
                return null;
            }
            try {
                return answerIn(reply);
            } finally {
                reply.cut();
            }
        }

        /// Null if the server cannot be reached for now.
        private @Nullable Reply comeBack(Era.Agreed with, String from) throws Trouble {
            Reply reply;
            try {
                reply = connection
                        .outbound()
                        .send(Request.without("GET", connection.target(), Era.ofStream(with, from)), keeper);
            } catch (Trouble unreachable) {
                return null;
            }
            if (reply.status() != 200 || !reply.type().equals(Era.EVENTS)) {
                reply.cut();
                if (reply.status() == 404 && with.session() != null) {
                    connection.retire(HttpConnection.sessionLost(404));
                }
                throw Trouble.lineLost("the stream ended before the answer, and could not be taken up again (HTTP "
                        + reply.status() + ")");
            }
            return reply;
        }

        /// Null if the stream ends without it, in whatever way.
        private Message.@Nullable Answer answerIn(Reply reply) throws IOException {
            EventReader events = new EventReader(
                    reply.content(), connection.outbound().settings().maxBodyBytes());
            try {
                for (EventReader.Event event = events.next(); event != null; event = events.next()) {
                    fruitless = 0;
                    byte[] frame = Frames.onOneLine(event.data());
                    Message.Answer answer = event.isMessage() ? take(Message.read(frame, 0, frame.length)) : null;
                    if (answer != null) {
                        reply.close();
                        return answer;
                    }
                }
                reply.close();
            } catch (Malformed | Reply.TooLarge | ZipException wrong) {
                throw wrong;
            } catch (IOException lost) {
                reply.cut();
            } finally {
                fruitless = events.lastId() == null || events.lastId().equals(lastId) ? fruitless : 0;
                lastId = events.lastId() == null ? lastId : events.lastId();
                retryMillis = events.retryMillis() < 0 ? retryMillis : events.retryMillis();
            }
            return null;
        }
    }
}
