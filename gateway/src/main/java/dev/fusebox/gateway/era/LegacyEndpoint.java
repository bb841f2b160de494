package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.PreconnectedConnector;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// An endpoint for a legacy server, for clients of either era. Thread-safe; [#call] blocks.
///
/// Clients that accept no server requests and no log messages share one connection. A request from the server on a
/// shared connection could not be attributed to a client, so a session has its own connection, and a call of any
/// other client has an exclusive one while it lasts.
final class LegacyEndpoint implements UpstreamEndpoint {
    /// Bound on exclusive connections; further calls are refused.
    private static final int MAX_BORROWED = 32;

    /// Bound on suspended calls: running ones hold a connection each, and three times as many may have ended
    /// while their clients were away.
    private static final int MAX_SUSPENDED = 4 * MAX_BORROWED;

    /// An unanswered question ends this long before its call, so that the server still gets a response.
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final CallFailure BUSY = local(
            "all " + MAX_BORROWED + " connections for calls with requests to the client are busy; try again in 5 s");

    private static final CallFailure CANCELLED = CallFailure.cancelled();

    private static final CallFailure TIMEOUT = CallFailure.timeout("timed out waiting for the response");

    private final Platform platform;
    private final SessionSettings settings;
    private final ConnectionSharing connectionSharing;
    private final LegacySubscriptions subscriptions;
    private final @Nullable SessionConnection sessionConnection;

    /// Reports to the owning session that its process was replaced; null if the endpoint is shared.
    private final @Nullable StateLoss loss;

    private final ReconnectingConnection shared;
    private final ExclusiveConnections exclusiveConnections;
    private final SuspendedCalls suspendedCalls;

    /// @param owner the client that it belongs to; null if it is shared
    LegacyEndpoint(
            Platform platform, FrontTarget frontTarget, RandomGenerator secrets, @Nullable ClientMetadata owner) {
        this.platform = platform;
        this.settings = frontTarget.settings();
        this.connectionSharing = frontTarget.connectionGovernor().connectionSharing();
        this.subscriptions = new LegacySubscriptions(platform);
        this.loss = owner == null
                ? null
                : new StateLoss(
                        settings.server(), frontTarget.connectionGovernor().listener(), owner.clientSession());
        this.sessionConnection =
                owner == null || loss == null ? null : sessionConnection(loss.over(frontTarget), owner);
        this.shared = sessionConnection == null
                ? frontTarget.greeting(platform, subscriptions, "{}")
                : sessionConnection.connection();
        this.exclusiveConnections = new ExclusiveConnections(
                MAX_BORROWED,
                platform,
                frontTarget.bounds().idle(),
                (capabilities, serverMessageHandler) ->
                        frontTarget.greeting(platform, serverMessageHandler, capabilities));
        this.suspendedCalls = new SuspendedCalls(
                MAX_SUSPENDED, platform.timers(), frontTarget.settings().clientWait(), secrets);
    }

    private SessionConnection sessionConnection(FrontTarget frontTarget, ClientMetadata client) {
        ClientSession clientSession =
                Objects.requireNonNull(client.clientSession(), "only client sessions have their own connection");
        JsonView capabilities = client.offered();
        return new SessionConnection(
                platform,
                new SessionConnection.Owner(clientSession, capabilities, settings.server()),
                subscriptions,
                serverMessageHandler -> frontTarget.greeting(platform, serverMessageHandler, capabilities.json()));
    }

    /// Performs the handshake with the server, unless that was done.
    ReconnectingConnection.HandshakeResult greet(Deadline deadline) {
        return shared.initialize(deadline);
    }

    /// Keeps the connection if the server refuses the handshake, for [#handOver]. To be called before [#greet].
    LegacyEndpoint keepingRefused() {
        shared.keepingRefused();
        return this;
    }

    /// Transfers the connection to another endpoint of the server; null if there is none.
    @Nullable
    PreconnectedConnector handOver() {
        return shared.handOver();
    }

    @Override
    public boolean isOn(Connection connection) {
        return connection.equals(shared.connected());
    }

    @Override
    public Outcome call(Call call) {
        return switch (call.request().method()) {
            case "server/discover" -> discover(unordered(call));
            case "subscriptions/listen" -> listen(unordered(call));
            case "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe" ->
                answered(JsonRpcFrames.error(
                        call.request().id(), JsonRpcErrorCode.METHOD_NOT_FOUND, "unknown method", null));
            default -> isApart(call.client()) ? onExclusiveConnection(call) : together(call);
        };
    }

    /// Leaves the send slot, since nothing of the call is sent to the server in the client's order.
    private static Call unordered(Call call) {
        call.slot().release();
        return call;
    }

    // ---- Handshake result

    private Outcome discover(Call call) {
        return switch (shared.initialize(call.deadline())) {
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> new Outcome.Failed(failure);
            case ReconnectingConnection.HandshakeResult.Completed(JsonView result) ->
                answered(discovered(call, result));
        };
    }

    /// The gateway's own request gets only what the server sent: a legacy server says nothing of caching.
    private static byte[] discovered(Call call, @Nullable JsonView initializeResult) {
        JsonWriter result = new JsonWriter().beginObject();
        if (!call.client().isOfGateway()) {
            result.name("resultType").string("complete");
            result.name("ttlMs").number(0).name("cacheScope").string("private");
        }
        result.name("supportedVersions")
                .beginArray()
                .string(RequestRefusal.REVISION)
                .endArray();
        JsonView capabilities = initializeResult == null ? null : initializeResult.member("capabilities");
        result.name("capabilities").raw(capabilities == null ? "{}" : capabilities.json());
        JsonView instructions = initializeResult == null ? null : initializeResult.member("instructions");
        if (instructions != null) {
            result.name("instructions").raw(instructions);
        }
        JsonView serverInfo = initializeResult == null ? null : initializeResult.member("serverInfo");
        if (serverInfo != null) {
            result.name("_meta")
                    .beginObject()
                    .name(ClientMetadata.SERVER_INFO)
                    .raw(serverInfo)
                    .endObject();
        }
        return JsonRpcFrames.result(call.request().id(), result.endObject().toString());
    }

    private Outcome listen(Call call) {
        return switch (shared.initialize(call.deadline())) {
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> new Outcome.Failed(failure);
            case ReconnectingConnection.HandshakeResult.Completed(JsonView result) ->
                listen(call, result == null ? null : result.member("capabilities"));
        };
    }

    private Outcome listen(Call call, @Nullable JsonView capabilities) {
        Connection connection = shared.connected();
        return connection == null
                ? new Outcome.Failed(CallFailure.notReady(ErrorId.CONNECT_FAILED, "the server has just exited"))
                : subscriptions.listen(call, connection, capabilities);
    }

    // ---- Calls

    private boolean isApart(ClientMetadata client) {
        boolean mayBe = sessionConnection != null || connectionSharing.isolation() != Isolation.SHARED;
        return mayBe && !client.isOfGateway() && (client.takesQuestions() || client.logLevel() != null);
    }

    private Outcome together(Call call) {
        call.slot().toConnection(shared);
        call.slot().connecting();
        Outcome outcome = null;
        beginState(call);
        try {
            ReconnectingConnection.HandshakeResult handshakeResult = shared.initialize(call.deadline());
            if (handshakeResult instanceof ReconnectingConnection.HandshakeResult.Completed
                    && sessionConnection != null) {
                sessionConnection.applyLevel(call.deadline());
            }
            outcome = switch (handshakeResult) {
                case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> new Outcome.Failed(failure);
                case ReconnectingConnection.HandshakeResult.Completed greeted ->
                    translated(call, shared.call(translated(call)), greeted);
            };
        } finally {
            endState(call, outcome);
        }
        return loss == null ? outcome : loss.report(call, outcome);
    }

    private void beginState(Call call) {
        if (loss != null) {
            loss.begin(call);
        }
    }

    private void endState(Call call, @Nullable Outcome outcome) {
        if (loss != null) {
            loss.end(call, outcome);
        }
    }

    /// The result of a legacy server goes to a legacy client unchanged. So do its lists to the gateway, which has to
    /// know what the server itself says about their age.
    private static Outcome translated(
            Call call, Outcome outcome, ReconnectingConnection.HandshakeResult.Completed greeted) {
        String method = call.request().method();
        boolean isUnchanged = call.client().isLegacy() || (call.client().isOfGateway() && method.endsWith("/list"));
        return isUnchanged ? outcome : back(method, outcome, greeted);
    }

    /// Clients that share the connection get no log messages; change notifications go to their subscribers.
    private Call translated(Call call) {
        RequestNotifications notifications =
                new RequestNotifications(call.caller(), null, subscriptions::onNotification);
        return forLegacy(call).with(notifications);
    }

    /// The request of a legacy client passes unchanged.
    private static Call forLegacy(Call call) {
        return call.client().isLegacy()
                ? call
                : call.settled().with(EraTranslation.forSession(call.settled().request()));
    }

    private static Outcome back(
            String method, Outcome outcome, ReconnectingConnection.HandshakeResult.Completed greeted) {
        JsonView initializeResult = greeted.result();
        JsonView serverInfo = initializeResult == null ? null : initializeResult.member("serverInfo");
        return outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new Outcome.Answered(EraTranslation.forStateless(method, answer, serverInfo))
                : outcome;
    }

    /// A call that may be suspended runs on its own thread; this thread waits for it, or returns with the
    /// questions.
    private Outcome onExclusiveConnection(Call client) {
        Call call = client.settled();
        Outcome outcome = null;
        beginState(call);
        try {
            outcome = suspendable(call);
        } finally {
            endState(call, outcome);
        }
        return loss == null ? outcome : loss.report(call, outcome);
    }

    private Outcome suspendable(Call call) {
        JsonView params = call.request().params();
        String ticket = params == null ? null : params.string("requestState");
        return params == null || ticket == null ? begin(call) : resume(call, ticket, params);
    }

    private Outcome resume(Call call, String ticket, JsonView params) {
        SuspendedCall suspendedCall = suspendedCalls.fetch(ticket, call.request());
        if (suspendedCall == null) {
            String message = "requestState is unknown or belongs to another request";
            return answered(JsonRpcFrames.error(call.request().id(), JsonRpcErrorCode.INVALID_PARAMS, message, null));
        }
        call.slot().release();
        suspendedCall.resume(params.member("inputResponses"), call.caller());
        return await(suspendedCall, call);
    }

    private Outcome begin(Call call) {
        ClientMetadata client = call.client();
        ServerRequestHandler serverRequestHandler = sessionConnection == null
                ? exclusiveConnections.take(client.capabilities().json())
                : sessionConnection;
        if (serverRequestHandler == null) {
            suspendedCalls.endLongest(platform.ticker().nanos());
            return new Outcome.Failed(BUSY);
        }
        if (sessionConnection == null) {
            // The exclusive server gets no other message of this client.
            call.slot().release();
        } else {
            call.slot().toConnection(shared);
        }
        // Limited by this client's deadline, which may differ from that of the client that the connection was
        // opened for.
        Duration limit = Duration.ofNanos(Math.max(1, call.deadline().left()));
        Deadline deadline =
                call.deadline().forRequest(limit, settings.clientWait().plus(GRACE));
        SuspendedCall.Askable askable = new SuspendedCall.Askable(
                client.capabilities(), settings.questions().budget(settings.server()));
        SuspendedCall suspendedCall = new SuspendedCall(platform, deadline, call.caller(), askable);
        Call inner = forLegacy(call).with(suspendedCall).within(deadline);
        Outcome unbegun = new Outcome.Failed(local("internal error in the gateway; the call did not start"));
        VirtualThreadStarter.start(
                "fusebox-parked",
                () -> work(suspendedCall, inner, serverRequestHandler),
                () -> done(suspendedCall, unbegun, serverRequestHandler));
        return await(suspendedCall, call);
    }

    private void work(SuspendedCall suspendedCall, Call call, ServerRequestHandler serverRequestHandler) {
        Outcome outcome = new Outcome.Failed(local("internal error in the gateway; the call was ended"));
        try {
            outcome = switch (serverRequestHandler.initialize(call.deadline())) {
                case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> new Outcome.Failed(failure);
                case ReconnectingConnection.HandshakeResult.Completed greeted ->
                    translated(call, serverRequestHandler.call(call), greeted);
            };
        } finally {
            done(suspendedCall, outcome, serverRequestHandler);
        }
    }

    /// In this order: a client that calls again at once finds the connection available.
    private static void done(SuspendedCall suspendedCall, Outcome outcome, ServerRequestHandler serverRequestHandler) {
        try {
            serverRequestHandler.done(outcome, suspendedCall.end(outcome));
        } finally {
            suspendedCall.wakeWaiters();
        }
    }

    private Outcome await(SuspendedCall suspendedCall, Call call) {
        try {
            return switch (suspendedCall.await(call.deadline())) {
                case SuspendedCall.Step.Ended(Outcome outcome) -> outcome;
                case SuspendedCall.Step.InputRequired(String inputRequests) ->
                    asking(suspendedCall, call.request(), inputRequests);
                case SuspendedCall.Step.Nothing() -> new Outcome.Failed(over(suspendedCall, call.deadline()));
            };
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            suspendedCall.abandon();
            return new Outcome.Failed(CANCELLED);
        }
    }

    private Outcome asking(SuspendedCall suspendedCall, Message.Request request, String inputRequests) {
        String ticket = suspendedCalls.park(suspendedCall, request);
        if (ticket == null) {
            suspendedCall.abandon();
            return new Outcome.Failed(
                    local(MAX_SUSPENDED + " calls are suspended, which is the limit; try again in 30 s"));
        }
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("input_required");
        result.name("inputRequests").raw(inputRequests).name("requestState").string(ticket);
        return answered(JsonRpcFrames.result(request.id(), result.endObject().toString()));
    }

    private static CallFailure over(SuspendedCall suspendedCall, Deadline deadline) {
        suspendedCall.abandon();
        return deadline.isGivenUp() ? CANCELLED : TIMEOUT;
    }

    private static Outcome answered(byte[] frame) {
        return new Outcome.Answered(Message.Answer.of(frame));
    }

    private static CallFailure local(String message) {
        return CallFailure.notSent(ErrorId.OVERLOADED, message);
    }

    // ---- Liveness

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
        return shared.checkHealth(since, new Call(question(), deadline, Caller.SILENT));
    }

    /// A request that every legacy server answers.
    static Message.Request question() {
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("ping"), "ping", null));
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return shared.hasReceivedSince(then);
    }

    @Override
    public void sendNotification(byte[] notification) {
        if (sessionConnection != null) {
            sessionConnection.forgetRoots();
        }
        shared.sendNotification(notification);
    }

    /// If the server is not connected, its next connection sets the level.
    @Override
    public void levelChanged() {
        SessionConnection own = sessionConnection;
        if (own != null && shared.connected() != null) {
            Deadline deadline = new Deadline(settings.timeout(), Duration.ZERO, platform.ticker());
            VirtualThreadStarter.start("fusebox-level", () -> own.applyLevel(deadline), () -> {});
        }
    }

    @Override
    public void disconnect() {
        shared.disconnect();
    }

    @Override
    public void startOver() {
        shared.startOver();
    }

    @Override
    public void close() {
        suspendedCalls.close();
        exclusiveConnections.close();
        shared.close();
    }
}
