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
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineEntry;
import dev.fusebox.client.resilience.PipelineRules;
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

/// A real lane with a simulated server at its end, and somebody beside it who checks every move. For the threads
/// of one simulation.
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
    private final PipelineEntry pipelineEntry;
    private final PipelineModel books;
    private final Map<Integer, Passage> underWay = new HashMap<>();
    private final List<Passage> over = new ArrayList<>();
    private final Map<Pulse, Integer> felt = new EnumMap<>(Pulse.class);
    private int attemptsUnderWay;
    private int retries;
    private int pulses;
    private long step;

    /// One call on its way.
    static final class Passage {
        private final ClientCall clientCall;
        private final SimulatedWait simulatedWait;
        private final long entered;
        private PipelineModel.@Nullable Passes passes;
        private int attempts;
        private long begun;
        private long sentAt;
        private boolean isInside;
        /// What the last attempt came to; what the caller is told may count those before, too.
        private @Nullable Outcome seen;

        private @Nullable Outcome outcome;

        private Passage(ClientCall clientCall, SimulatedWait simulatedWait, long entered) {
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
        this.books = new PipelineModel(rules, this::now);
        CallPipeline pipeline = new CallPipeline(sim.platform(), rules, breakers);
        this.reconnectingConnection = new ReconnectingConnection(
                        sim.platform(), upstream, ServerMessageHandler.NONE, Duration.ofSeconds(10))
                .watchedBy(new Beside(pipeline))
                .greeting(HANDSHAKE);
        this.pipelineEntry = pipeline.over(new Watch(pipeline));
        upstream.journal().listen(new Gate());
        sim.afterEachStep(this::stepped);
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

    /// Makes the call, and checks how it ends.
    Outcome call(ClientCall clientCall, SimulatedWait simulatedWait) {
        Passage passage = new Passage(clientCall, simulatedWait, step);
        Call call = new Call(clientCall.request(), simulatedWait.deadline(), Caller.SILENT);
        underWay.put(clientCall.tag(), passage);
        Outcome outcome = pipelineEntry.call(
                new PipelineCall(call, clientCall.kind(), clientCall.client(), attempt -> attempt(attempt, passage)));
        underWay.remove(clientCall.tag());
        passage.outcome = outcome;
        over.add(passage);
        settle(passage, outcome);
        compare();
        judge(passage, outcome);
        return outcome;
    }

    private Outcome attempt(Call call, Passage passage) {
        passage.attempts++;
        if (passage.attempts == 1) {
            passage.passes = books.ask(
                    passage.clientCall.tool(), passage.simulatedWait.deadline().left());
            require(passage.passes != null, passage.clientCall, "was let in, and the breakers say no");
        } else {
            retries++;
            require(mayGoOn(passage), passage.clientCall, "was repeated, and the breaker says no");
        }
        passage.begun = now();
        passage.sentAt = sim.platform().ticker().nanos();
        passage.isInside = true;
        attemptsUnderWay++;
        require(attemptsUnderWay <= rules.limits().callsAtOnce(), attemptsUnderWay, "calls at once");
        HalfOpen most = rules.breaker().halfOpen();
        require(probesUnderWay() <= most.maxCalls() + most.extraCalls(), probesUnderWay(), "probes at once");
        try {
            Outcome seen = reconnectingConnection.call(call);
            passage.seen = seen;
            return seen;
        } finally {
            passage.isInside = false;
            attemptsUnderWay--;
        }
    }

    private boolean mayGoOn(Passage passage) {
        return passage.passes != null && books.letsGoOn(passage.passes);
    }

    /// Calls that began since the breaker is half-open.
    private long probesUnderWay() {
        return breaker.state() != State.HALF_OPEN
                ? 0
                : underWay.values().stream()
                        .filter(passage -> passage.isInside && passage.passes != null)
                        .filter(passage -> mayGoOn(passage)
                                && passage.begun >= books.server().since())
                        .count();
    }

    private void settle(Passage passage, Outcome outcome) {
        if (passage.passes != null && passage.seen != null) {
            PipelineModel.Silence silence = new PipelineModel.Silence(passage.begun, passage.sentAt);
            books.over(passage.passes, passage.seen, silence, reconnectingConnection::heardSince);
        } else if (outcome instanceof Outcome.Failed(CallFailure failure) && failure.rejection() != null) {
            boolean isRight = books.isRightToRefuse(failure.code(), passage.clientCall.tool(), step != passage.entered);
            require(isRight, passage.clientCall, "was refused, and the breakers say nothing of that:", failure);
        }
    }

    private void judge(Passage passage, Outcome outcome) {
        Duration late = sim.elapsed().minus(passage.simulatedWait.due());
        require(late.compareTo(LATE) <= 0, passage.clientCall, "ended", late, "after its end");
        switch (outcome) {
            case Outcome.Answered(Message.Answer answer) -> isOwn(passage, answer);
            case Outcome.Failed(CallFailure failure) -> {
                boolean isRefusal = failure.code() == ErrorCode.BREAKER_OPEN || failure.code() == ErrorCode.OVERLOADED;
                require(!isRefusal || failure.retryAfter() != null || passage.attempts > 0, "no time in", failure);
            }
        }
    }

    private void isOwn(Passage passage, Message.Answer answer) {
        JsonView tag = answer.frame().path("result", "tag");
        boolean isOwn = tag == null || tag.json().equals(Integer.toString(passage.clientCall.tag()));
        JsonView server = answer.frame().path("result", "server");
        boolean isHere = server == null || upstream.name().equals(server.string());
        require(isOwn && isHere, passage.clientCall, "got the answer of another:", answer.frame());
    }

    // ---- What is seen of the connection

    /// The lane as the witness of its connections, after the books have been kept.
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
                books.sawConnection(failure.category());
            }
            pipeline.failed(failure);
            compare();
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            if (failure.category() == FailureCategory.STDIO_EXIT) {
                books.sawCrash(inFlight(connection));
            } else {
                books.sawConnection(failure.category());
            }
            pipeline.lost(connection, failure);
            compare();
        }
    }

    private List<PipelineModel.Passes> inFlight(Connection connection) {
        List<Deadline> callers = connection.inFlight();
        return underWay.values().stream()
                .filter(passage -> passage.passes != null && callers.contains(passage.simulatedWait.deadline()))
                .map(passage -> passage.passes)
                .toList();
    }

    /// All attempts of a call are one outcome: a connection that could not be had is nothing new to those who come
    /// back for that very reason. If nobody waits any more it counts for itself.
    private boolean isNews() {
        List<Passage> inside =
                underWay.values().stream().filter(passage -> passage.isInside).toList();
        return inside.isEmpty() || !inside.stream().allMatch(Passage::isBackForAConnection);
    }

    /// Signs of life as the lane sees them, compared with what the server did.
    private final class Watch implements Liveness {
        private final CallPipeline pipeline;

        private Watch(CallPipeline pipeline) {
            this.pipeline = pipeline;
        }

        @Override
        public Pulse pulse(long since, Duration limit) {
            pulses++;
            require(pulses == 1, pulses, "questions for a sign of life at once");
            long begun = now();
            Pulse pulse = reconnectingConnection.pulse(
                    since,
                    new Call(
                            PING,
                            new Deadline(limit, Duration.ZERO, sim.platform().ticker()),
                            Caller.SILENT));
            pulses--;
            felt.merge(pulse, 1, Integer::sum);
            require(now() - begun <= limit.plus(LATE).toNanos(), "a sign of life took too long");
            require(pulse != Pulse.NONE || !upstream.saidSince(since), "a server that spoke was called silent");
            books.pulse(pulse, reconnectingConnection::heardSince);
            return pulse;
        }

        @Override
        public boolean heardSince(long then) {
            boolean isHeard = reconnectingConnection.heardSince(then);
            require(!isHeard || upstream.saidSince(then), "a silent server was heard");
            return isHeard;
        }

        @Override
        public void disconnect() {
            require(
                    books.isOpen() || pipeline.inside() == 0,
                    "a connection was ended that others use, and the breaker is not open");
            reconnectingConnection.disconnect();
        }
    }

    /// Sees what goes to the server: nothing while the breaker is open, but what was on its way before.
    private final class Gate implements ServerJournal.Ears {
        @Override
        public void started() {
            require(!isShut(now()), "a process was started, and the breaker is open");
        }

        @Override
        public void reached(int tag) {
            Passage passage = underWay.get(tag);
            if (passage != null) {
                require(!isShut(passage.begun), passage.clientCall, "was sent, and the breaker is open");
            }
        }
    }

    /// Whether the breaker has been open since before then.
    private boolean isShut(long then) {
        return breaker.state() == State.OPEN && then > books.server().since();
    }

    // ---- What always holds

    private void stepped() {
        step++;
        require(
                breaker.state() == books.server().state(),
                breaker,
                "and the books say",
                books.server().state());
    }

    private void compare() {
        compare(breaker, books.server());
        for (Map.Entry<String, BreakerModel> tool : books.tools().entrySet()) {
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
                "failures, and the books say otherwise");
    }

    // ---- At the end

    private void ended() {
        compare();
        require(journal().mostStarting() <= 1, journal().mostStarting(), "processes were started at once");
        require(underWay.isEmpty(), underWay.size(), "calls never ended");
        require(books.doubtful() == 0, books.doubtful(), "calls were never judged");
        require(breaker.snapshot().testsUnderWay() == 0, "a probe was lost");
        over.forEach(this::ranAtMostOnce);
        Duration elapsed = sim.elapsed();
        double budget = 10 + over.size() * rules.retry().budgetRatio() + elapsed.toMillis() / 1000.0;
        require(retries <= budget, retries, "repetitions of", over.size(), "calls");
    }

    private void ranAtMostOnce(Passage passage) {
        int times = journal().executions(passage.clientCall.tag());
        require(times <= 1 || passage.clientCall.mayRunTwice(), passage.clientCall, "ran", times, "times");
        require(passage.attempts <= rules.retry().attempts(), passage.clientCall, "had", passage.attempts, "attempts");
        if (passage.outcome() instanceof Outcome.Failed(CallFailure failure)
                && failure.delivery() == Delivery.NOT_SENT) {
            require(times == 0, passage.clientCall, "was called not sent, and ran:", failure);
        }
    }

    void tell(Coverage coverage) {
        over.forEach(passage -> coverage.add(passage.outcome()));
        coverage.add(Coverage.Item.REPEATED, retries);
        coverage.add(Coverage.Item.TRIPPED, breaker.snapshot().totals().trips());
        coverage.add(Coverage.Item.STARTED, journal().starts());
        coverage.add(Coverage.Item.LIVE_PING, felt.getOrDefault(Pulse.FELT, 0));
        coverage.add(Coverage.Item.DEAD_PING, felt.getOrDefault(Pulse.NONE, 0));
        coverage.add(Coverage.Item.LOST_BEFORE_PING, felt.getOrDefault(Pulse.GONE, 0));
    }

    /// All calls that have ended.
    List<Passage> over() {
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
