package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A real call pipeline with a simulated server at its end, and a reference model that checks every step. For the
/// threads of one simulation.
final class CheckedPipeline {
    private static final Duration LATE = Duration.ofMillis(100);

    private static final Message.Request PING =
            Message.Request.of(JsonRpcFrames.request(RequestId.of("ping"), "ping", null));

    private static final JsonView HANDSHAKE = JsonView.of("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"simulation\",\"version\":\"1\"}}");

    private final Simulation sim;
    private final PipelineRules rules;
    private final SimulatedUpstream upstream;
    private final CircuitBreaker breaker;
    private final Breakers breakers;
    private final ReconnectingConnection reconnectingConnection;
    private final CallPipeline pipeline;
    private final TimeoutArbiter arbiter;
    private final PipelineModel model;
    private final Map<Integer, TrackedCall> underWay = new HashMap<>();
    private final List<TrackedCall> over = new ArrayList<>();
    private final Map<HealthCheckResult, Integer> felt = new EnumMap<>(HealthCheckResult.class);
    private int attemptsUnderWay;
    private int retries;
    private int pulses;
    private long step;

    /// A call in progress.
    static final class TrackedCall {
        private final ClientCall clientCall;
        private final SimulatedWait simulatedWait;
        private final long entered;
        private PipelineModel.@Nullable Permissions permissions;
        private int attempts;
        private long begun;
        private long sentAt;
        private boolean isInside;
        /// The result of the last attempt; the caller's result may also account for earlier ones.
        private @Nullable Outcome seen;

        private @Nullable Outcome outcome;

        private TrackedCall(ClientCall clientCall, SimulatedWait simulatedWait, long entered) {
            this.clientCall = clientCall;
            this.simulatedWait = simulatedWait;
            this.entered = entered;
        }

        Outcome outcome() {
            if (outcome == null) {
                throw new AssertionError(clientCall + " has not ended");
            }
            return outcome;
        }

        ClientCall clientCall() {
            return clientCall;
        }

        private boolean isBackForAConnection() {
            return seen instanceof Outcome.Failed(CallFailure failure)
                    && failure.evidence().extent() == Evidence.Extent.CONNECTING
                    && failure.category() == FailureCategory.OFFLINE;
        }
    }

    /// @param breakers of all servers of the simulation
    CheckedPipeline(Simulation sim, PipelineRules rules, Breakers breakers, SimulatedUpstream upstream) {
        this.sim = sim;
        this.rules = rules;
        this.upstream = upstream;
        this.breakers = breakers;
        this.breaker = breakers.breaker(BreakerName.of(rules.server()), rules.breaker());
        this.model = new PipelineModel(rules, this::now);
        this.pipeline = new CallPipeline(sim.platform(), rules, breakers);
        this.reconnectingConnection = new ReconnectingConnection(
                        sim.platform(), upstream, ServerMessageHandler.NONE, Duration.ofSeconds(10))
                .watchedBy(new Beside(pipeline))
                .greeting(HANDSHAKE);
        this.arbiter = pipeline.arbiter(new Watch(pipeline));
        upstream.journal().listen(new Gate());
        sim.afterEachStep(this::checkStep);
        sim.atEnd(this::ended);
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    PipelineRules rules() {
        return rules;
    }

    ServerJournal journal() {
        return upstream.journal();
    }

    // ---- Calls

    /// Makes the call, and checks its result.
    Outcome call(ClientCall clientCall, SimulatedWait simulatedWait) {
        TrackedCall trackedCall = new TrackedCall(clientCall, simulatedWait, step);
        Call call = new Call(clientCall.request(), simulatedWait.deadline(), Caller.SILENT);
        underWay.put(clientCall.tag(), trackedCall);
        Outcome outcome = pipeline.call(
                new PipelineCall(
                        call, clientCall.kind(), clientCall.client(), attempt -> attempt(attempt, trackedCall)),
                arbiter);
        underWay.remove(clientCall.tag());
        trackedCall.outcome = outcome;
        over.add(trackedCall);
        settle(trackedCall, outcome);
        compare();
        checkOutcome(trackedCall, outcome);
        return outcome;
    }

    private Outcome attempt(Call call, TrackedCall trackedCall) {
        trackedCall.attempts++;
        if (trackedCall.attempts == 1) {
            trackedCall.permissions = model.ask(
                    trackedCall.clientCall.tool(),
                    trackedCall.simulatedWait.deadline().left());
            require(trackedCall.permissions != null, trackedCall.clientCall, "was admitted, but the model refuses it");
        } else {
            retries++;
            require(mayRetry(trackedCall), trackedCall.clientCall, "was retried, but the model refuses it");
        }
        trackedCall.begun = now();
        trackedCall.sentAt = sim.platform().ticker().nanos();
        trackedCall.isInside = true;
        attemptsUnderWay++;
        require(attemptsUnderWay <= rules.limits().callsAtOnce(), attemptsUnderWay, "calls at once");
        HalfOpen most = rules.breaker().halfOpen();
        require(probesUnderWay() <= most.maxCalls() + most.extraCalls(), probesUnderWay(), "probes at once");
        try {
            Outcome seen = reconnectingConnection.call(call);
            trackedCall.seen = seen;
            return seen;
        } finally {
            trackedCall.isInside = false;
            attemptsUnderWay--;
        }
    }

    private boolean mayRetry(TrackedCall trackedCall) {
        return trackedCall.permissions != null && model.allowsRetry(trackedCall.permissions);
    }

    /// Calls that began since the breaker became half-open.
    private long probesUnderWay() {
        return breaker.state() != State.HALF_OPEN
                ? 0
                : underWay.values().stream()
                        .filter(trackedCall -> trackedCall.isInside && trackedCall.permissions != null)
                        .filter(trackedCall -> mayRetry(trackedCall)
                                && trackedCall.begun >= model.server().since())
                        .count();
    }

    private void settle(TrackedCall trackedCall, Outcome outcome) {
        if (trackedCall.permissions != null && trackedCall.seen != null) {
            PipelineModel.Silence silence = new PipelineModel.Silence(trackedCall.begun, trackedCall.sentAt);
            model.over(trackedCall.permissions, trackedCall.seen, silence, reconnectingConnection::hasReceivedSince);
        } else if (outcome instanceof Outcome.Failed(CallFailure failure) && failure.rejection() != null) {
            boolean isRight =
                    model.isRightToRefuse(failure.code(), trackedCall.clientCall.tool(), step != trackedCall.entered);
            require(isRight, trackedCall.clientCall, "was refused, but the model admits it:", failure);
        }
    }

    private void checkOutcome(TrackedCall trackedCall, Outcome outcome) {
        Duration late = sim.elapsed().minus(trackedCall.simulatedWait.due());
        require(late.compareTo(LATE) <= 0, trackedCall.clientCall, "ended", late, "after its end");
        switch (outcome) {
            case Outcome.Answered(Message.Answer answer) -> isOwn(trackedCall, answer);
            case Outcome.Failed(CallFailure failure) -> {
                boolean isRefusal = failure.code() == ErrorCode.BREAKER_OPEN || failure.code() == ErrorCode.OVERLOADED;
                require(
                        !isRefusal || failure.retryAfter() != null || trackedCall.attempts > 0,
                        "no retry time in",
                        failure);
            }
        }
    }

    private void isOwn(TrackedCall trackedCall, Message.Answer answer) {
        JsonView tag = answer.frame().path("result", "tag");
        boolean isOwn = tag == null || tag.json().equals(Integer.toString(trackedCall.clientCall.tag()));
        JsonView server = answer.frame().path("result", "server");
        boolean isHere = server == null || upstream.name().equals(server.string());
        require(isOwn && isHere, trackedCall.clientCall, "got the response of another call:", answer.frame());
    }

    // ---- The connection

    /// The pipeline's connection listener, called after the model.
    private final class Beside implements ConnectionListener {
        private final CallPipeline pipeline;

        private Beside(CallPipeline pipeline) {
            this.pipeline = pipeline;
        }

        @Override
        public void connecting() {
            pipeline.connecting();
        }

        @Override
        public void connected(Connection connection) {
            pipeline.connected(connection);
        }

        @Override
        public void failed(CallFailure failure) {
            if (isNews()) {
                model.sawConnection(failure.category());
            }
            pipeline.failed(failure);
            compare();
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            if (failure.category() == FailureCategory.STDIO_EXIT) {
                model.sawCrash(inFlight(connection));
            } else {
                model.sawConnection(failure.category());
            }
            pipeline.lost(connection, failure);
            compare();
        }
    }

    private List<PipelineModel.Permissions> inFlight(Connection connection) {
        List<Deadline> callers = connection.inFlight();
        return underWay.values().stream()
                .filter(trackedCall ->
                        trackedCall.permissions != null && callers.contains(trackedCall.simulatedWait.deadline()))
                .map(trackedCall -> trackedCall.permissions)
                .toList();
    }

    /// All attempts of a call count as one outcome: a failure to connect is nothing new to calls that retry for
    /// that very reason. If no call waits any more it counts for itself.
    private boolean isNews() {
        List<TrackedCall> inside = underWay.values().stream()
                .filter(trackedCall -> trackedCall.isInside)
                .toList();
        return inside.isEmpty() || !inside.stream().allMatch(TrackedCall::isBackForAConnection);
    }

    /// Pings as the pipeline sees them, compared with what the server did.
    private final class Watch implements Liveness {
        private final CallPipeline pipeline;

        private Watch(CallPipeline pipeline) {
            this.pipeline = pipeline;
        }

        @Override
        public HealthCheckResult checkHealth(long since, Duration limit) {
            pulses++;
            require(pulses == 1, pulses, "concurrent pings");
            long begun = now();
            HealthCheckResult healthCheckResult = reconnectingConnection.checkHealth(
                    since,
                    new Call(
                            PING,
                            new Deadline(limit, Duration.ZERO, sim.platform().ticker()),
                            Caller.SILENT));
            pulses--;
            felt.merge(healthCheckResult, 1, Integer::sum);
            require(now() - begun <= limit.plus(LATE).toNanos(), "a ping took too long");
            require(
                    healthCheckResult != HealthCheckResult.SILENT || !upstream.saidSince(since),
                    "a server that sent messages was reported as silent");
            model.pulse(healthCheckResult, reconnectingConnection::hasReceivedSince);
            return healthCheckResult;
        }

        @Override
        public boolean hasReceivedSince(long then) {
            boolean isHeard = reconnectingConnection.hasReceivedSince(then);
            require(!isHeard || upstream.saidSince(then), "a silent server was reported as heard");
            return isHeard;
        }

        @Override
        public void disconnect() {
            require(
                    model.isOpen() || pipeline.inFlight() == 0,
                    "a connection in use was closed, but the breaker is not open");
            reconnectingConnection.disconnect();
        }
    }

    /// Checks what is sent to the server: nothing while the breaker is open, except what was in flight before.
    private final class Gate implements ServerJournal.Listener {
        @Override
        public void started() {
            require(!isShut(now()), "a process was started while the breaker was open");
        }

        @Override
        public void reached(int tag) {
            TrackedCall trackedCall = underWay.get(tag);
            if (trackedCall != null) {
                require(!isShut(trackedCall.begun), trackedCall.clientCall, "was sent while the breaker was open");
            }
        }
    }

    /// Whether the breaker has been open since before that time.
    private boolean isShut(long then) {
        return breaker.state() == State.OPEN && then > model.server().since();
    }

    // ---- Invariants

    private void checkStep() {
        step++;
        require(
                breaker.state() == model.server().state(),
                breaker,
                "but the model says",
                model.server().state());
    }

    private void compare() {
        compare(breaker, model.server());
        for (Map.Entry<String, BreakerModel> tool : model.tools().entrySet()) {
            CircuitBreaker ofTool = breakers.breaker(
                    BreakerName.of(rules.server()).tool(tool.getKey()),
                    rules.tools().policy());
            compare(ofTool, tool.getValue());
        }
    }

    private static void compare(CircuitBreaker real, BreakerModel model) {
        boolean isSame = real.state() == model.state() && real.snapshot().transition() == model.stay();
        boolean countsSame =
                model.state() != State.CLOSED || real.snapshot().counts().failureCount() == model.failures();
        require(
                isSame && countsSame,
                model.state(),
                "after",
                model.stay(),
                "changes with",
                model.failures(),
                "failures, but the model differs");
    }

    // ---- End

    private void ended() {
        compare();
        require(journal().maxStarting() <= 1, journal().maxStarting(), "processes were started at once");
        require(underWay.isEmpty(), underWay.size(), "calls never ended");
        require(model.unresolved() == 0, model.unresolved(), "timeouts were never resolved");
        require(breaker.snapshot().testsUnderWay() == 0, "a probe was lost");
        over.forEach(this::ranAtMostOnce);
        Duration elapsed = sim.elapsed();
        double budget = 10 + over.size() * rules.retry().budgetRatio() + elapsed.toMillis() / 1000.0;
        require(retries <= budget, retries, "retries of", over.size(), "calls");
    }

    private void ranAtMostOnce(TrackedCall trackedCall) {
        int times = journal().executions(trackedCall.clientCall.tag());
        require(times <= 1 || trackedCall.clientCall.mayRunTwice(), trackedCall.clientCall, "ran", times, "times");
        require(
                trackedCall.attempts <= rules.retry().attempts(),
                trackedCall.clientCall,
                "had",
                trackedCall.attempts,
                "attempts");
        if (trackedCall.outcome() instanceof Outcome.Failed(CallFailure failure)
                && failure.delivery() == Delivery.NOT_SENT) {
            require(times == 0, trackedCall.clientCall, "was reported as not sent, but ran:", failure);
        }
    }

    void tell(Coverage coverage) {
        over.forEach(trackedCall -> coverage.add(trackedCall.outcome()));
        coverage.add(Coverage.Item.REPEATED, retries);
        coverage.add(Coverage.Item.TRIPPED, breaker.snapshot().totals().trips());
        coverage.add(Coverage.Item.STARTED, journal().starts());
        coverage.add(Coverage.Item.LIVE_PING, felt.getOrDefault(HealthCheckResult.ALIVE, 0));
        coverage.add(Coverage.Item.DEAD_PING, felt.getOrDefault(HealthCheckResult.SILENT, 0));
        coverage.add(Coverage.Item.LOST_BEFORE_PING, felt.getOrDefault(HealthCheckResult.UNKNOWN, 0));
    }

    /// All calls that have ended.
    List<TrackedCall> over() {
        return over;
    }

    private long now() {
        return sim.elapsed().toNanos();
    }

    /// Cheaper than an assertion with its description, and there are millions.
    private static void require(boolean holds, Object... otherwise) {
        if (!holds) {
            throw new AssertionError(
                    Arrays.stream(otherwise).map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }
}
