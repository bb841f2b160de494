package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A simulated server without a process: each call is a separate request, answered by a script as over HTTP. For
/// the threads of one simulation.
final class SimulatedSite implements SimulatedUpstream {
    private static final Duration LEFT_ALONE = Duration.ofSeconds(5);

    private final Platform platform;
    private final String name;
    private final ServerJournal journal = new ServerJournal();
    private Script script;
    private boolean spoke;
    private long saidAt;
    private long quietUntil;
    private boolean isQuiet;
    private int disobeyed;

    /// Decides the course of each call.
    @FunctionalInterface
    interface Script {
        Reaction site(ServerCall serverCall);

        /// Whether it answers a ping.
        default boolean isAwake() {
            return true;
        }

        /// Whether it answers the handshake.
        default boolean isThere() {
            return true;
        }
    }

    /// The course of one call.
    ///
    /// @param after the time until then
    record Reaction(CallAction action, Duration after) {}

    /// The action of a site for a call.
    enum CallAction {
        ANSWER,
        TOOL_ERROR,
        ERROR,
        /// A status of 500.
        BROKEN,
        /// A status of 502: an intermediary does not know the outcome.
        BAD_GATEWAY,
        /// A status of 401.
        UNAUTHORIZED,
        /// A status of 429 with a time.
        TOO_MANY,
        REFUSED,
        /// The connection ends after the request was received.
        RESET,
        HANG
    }

    SimulatedSite(Platform platform, String name, Script script) {
        this.platform = platform;
        this.name = name;
        this.script = script;
        this.saidAt = platform.ticker().nanos();
    }

    void follow(Script other) {
        script = other;
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        return new Opened.Connected(new Line());
    }

    @Override
    public @Nullable CallFailure refusal() {
        return isLeftAlone() ? pause(Delivery.NOT_SENT) : null;
    }

    private boolean isLeftAlone() {
        return isQuiet && platform.ticker().nanos() - quietUntil < 0;
    }

    private static CallFailure pause(Delivery delivery) {
        Evidence evidence = Evidence.ofHttp(429, LEFT_ALONE);
        return new CallFailure(ErrorId.OVERLOADED, FailureCategory.LOCAL, delivery, "asks for a pause", evidence);
    }

    /// The number of calls that arrived although it had asked for a pause.
    int disobeyed() {
        return disobeyed;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ServerJournal journal() {
        return journal;
    }

    @Override
    public boolean saidSince(long then) {
        return spoke && saidAt - then > 0;
    }

    // ---- Calls

    private final class Line implements Connection {
        @Override
        public Outcome call(Call call) {
            Promise<Outcome> promise = new Promise<>();
            begin(call.request(), promise);
            Deadline deadline = call.deadline();
            try {
                Outcome outcome = deadline.await(promise, platform);
                if (outcome != null) {
                    return outcome;
                }
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
            return new Outcome.Failed(
                    deadline.isGivenUp() ? CallFailure.cancelled() : CallFailure.timeout("no answer"));
        }

        @Override
        public void sendOneWay(byte[] notification) {
            // Has no effect.
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            // It sends no requests.
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public long lastReceivedAt() {
            return saidAt;
        }

        @Override
        public long dropped() {
            return 0;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    private void begin(Message.Request request, Promise<Outcome> promise) {
        disobeyed += isLeftAlone() ? 1 : 0;
        switch (request.method()) {
            case "initialize" -> {
                Outcome welcome = script.isThere()
                        ? answered(request, SimulatedProcess.WELCOME)
                        : new Outcome.Failed(offline(ErrorId.CONNECT_FAILED, Delivery.NOT_SENT));
                platform.timers().schedule(SimulatedProcess.TRANSIT, () -> promise.complete(welcome));
            }
            case "ping" -> {
                journal.pinged();
                if (script.isAwake()) {
                    platform.timers().schedule(SimulatedProcess.TRANSIT, () -> say(promise, answered(request, "{}")));
                }
            }
            default -> work(request, promise);
        }
    }

    private void work(Message.Request request, Promise<Outcome> promise) {
        ServerCall serverCall = ServerCall.of(request);
        journal.reached(serverCall.tag());
        Reaction reaction = script.site(serverCall);
        boolean isDone = reaction.action() != CallAction.REFUSED && reaction.action() != CallAction.TOO_MANY;
        if (isDone && reaction.action() != CallAction.UNAUTHORIZED) {
            journal.executed(serverCall.tag());
        }
        platform.timers().schedule(reaction.after(), () -> {
            journal.left();
            finish(request, reaction.action(), promise);
        });
    }

    private void finish(Message.Request request, CallAction action, Promise<Outcome> promise) {
        ServerCall serverCall = ServerCall.of(request);
        switch (action) {
            case ANSWER -> say(promise, answered(request, serverCall.result(name, false)));
            case TOOL_ERROR -> say(promise, answered(request, serverCall.result(name, true)));
            case ERROR -> say(promise, new Outcome.Answered(Message.Answer.of(error(request))));
            case BROKEN -> say(promise, status(500, FailureCategory.HTTP, Delivery.REJECTED));
            case BAD_GATEWAY -> say(promise, status(502, FailureCategory.HTTP, Delivery.UNKNOWN));
            case UNAUTHORIZED -> say(promise, status(401, FailureCategory.AUTH, Delivery.REJECTED));
            case TOO_MANY -> {
                isQuiet = true;
                quietUntil = platform.ticker().nanos() + LEFT_ALONE.toNanos();
                say(promise, new Outcome.Failed(pause(Delivery.REJECTED)));
            }
            case REFUSED -> promise.complete(new Outcome.Failed(offline(ErrorId.CONNECT_FAILED, Delivery.NOT_SENT)));
            case RESET -> promise.complete(new Outcome.Failed(offline(ErrorId.OUTCOME_UNKNOWN, Delivery.UNKNOWN)));
            case HANG -> {}
        }
    }

    private void say(Promise<Outcome> promise, Outcome outcome) {
        spoke = true;
        saidAt = platform.ticker().nanos();
        promise.complete(outcome);
    }

    private static Outcome answered(Message.Request request, String result) {
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(request.id(), result)));
    }

    private static byte[] error(Message.Request request) {
        return JsonRpcFrames.error(request.id(), ServerCall.of(request).errorCode(), "401 Unauthorized", null);
    }

    private static Outcome status(int status, FailureCategory category, Delivery delivery) {
        ErrorId id = status == 401 ? ErrorId.HTTP_401 : ErrorId.HTTP_ERROR;
        Evidence evidence = Evidence.ofHttp(status, null);
        return new Outcome.Failed(new CallFailure(id, category, delivery, "HTTP " + status, evidence));
    }

    private static CallFailure offline(ErrorId id, Delivery delivery) {
        return new CallFailure(id, FailureCategory.OFFLINE, delivery, "the connection failed", Evidence.NONE);
    }
}
