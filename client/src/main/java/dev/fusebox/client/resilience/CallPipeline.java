package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.Scope;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallStep;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The call pipeline of one server, for all its callers. Thread-safe; only calls block, until their deadlines.
///
/// ```
/// PipelineEntry.call -> breaker open?      refused at once, nothing touched
///                    -> TimeoutArbiter     waits for a health check that is running
///                    -> FairBulkhead       a place, in turn
///                    -> CallPermits        of the server's breaker and the tool's
///                    -> Attempt            the connection, the exchange; again if RetryDecision says so
///                    -> FailureAttribution a timeout is judged by TimeoutArbiter, after the answer
/// ```
///
/// The pipeline also listens to its server's connections, each of which is counted once.
public final class CallPipeline implements ConnectionListener {
    /// A caller that has left after so long may have left because nobody answered.
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);
    private static final Duration SLACK = Duration.ofSeconds(1);

    /// No breaker waits longer for a probe, whatever its call is allowed.
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /// No change of state has this number.
    private static final long NO_TEST = -1;

    /// Stands for an attempt that threw, which is a bug of ours and says nothing about the server.
    private static final Outcome BROKEN =
            new Outcome.Failed(CallFailure.notSent(ErrorCode.INTERNAL, "the call failed inside of the gateway"));

    private final Platform platform;
    private final PipelineRules rules;
    private final Breakers breakers;
    private final CircuitBreaker breaker;
    private final FairBulkhead bulkhead;
    private final RetryDecision retryDecision;
    private final CallObserver observer;
    private final ConnectRetryDedup connectRetryDedup = new ConnectRetryDedup();
    private final FailureCounts failures;
    private final InFlightCalls inFlightCalls;
    private final CrashRecorder crashes;
    private final Object making = new Object();
    private boolean replaced;

    public CallPipeline(Platform platform, PipelineRules rules, Breakers breakers) {
        this(platform, rules, breakers, CallObserver.NOBODY);
    }

    /// @param breakers of all servers and their tools
    /// @param observer sees every call
    public CallPipeline(Platform platform, PipelineRules rules, Breakers breakers, CallObserver observer) {
        this(platform, rules, new PipelineState(breakers, observer, new FailureCounts(), new InFlightCalls(), null));
    }

    private CallPipeline(Platform platform, PipelineRules rules, PipelineState pipelineState) {
        this.platform = platform;
        this.failures = pipelineState.failures();
        this.rules = rules;
        this.breakers = pipelineState.breakers();
        this.breaker = serverBreaker();
        this.bulkhead = new FairBulkhead(rules.limits(), platform, pipelineState.former());
        this.retryDecision = new RetryDecision(platform, rules.retry());
        this.observer = pipelineState.observer();
        this.inFlightCalls = pipelineState.inFlightCalls();
        this.crashes = new CrashRecorder(inFlightCalls, rules.tools().crashThreshold(), this::toolBreaker);
    }

    /// One that is kept from a former lane may differ in how long a call may take.
    private CircuitBreaker serverBreaker() {
        BreakerName name = BreakerName.of(rules.server());
        return breakers.find(name).orElseGet(() -> breakers.breaker(name, rules.breaker()));
    }

    /// A way to the server over connections of its own.
    public PipelineEntry over(Liveness liveness) {
        return new PipelineEntry(
                this,
                liveness,
                new TimeoutArbiter.Rules(rules.ping(), LONG_WAIT, rules.retry().freshProcess(), platform));
    }

    Outcome call(PipelineCall call, TimeoutArbiter arbiter) {
        return observer.see(rules.server(), call, () -> judged(call, arbiter));
    }

    /// Breaker, queue, permit, attempts, judgement. What is refused has touched nothing.
    private Outcome judged(PipelineCall call, TimeoutArbiter arbiter) {
        CircuitBreaker ofTool = toolBreaker(call.kind().tool());
        Rejection refusal = peek(ofTool);
        if (refusal != null) {
            return new Outcome.Failed(CallFailure.refused(refusal));
        }
        CallStep queue = observer.begin(CallStep.Type.QUEUE);
        CallFailure inDoubt = arbiter.hold(call);
        if (inDoubt != null) {
            return queue.failed(inDoubt);
        }
        FairBulkhead.Entry entry = enter(call);
        if (entry instanceof FairBulkhead.Place place) {
            queue.end(null);
            return placed(call, place, ofTool, arbiter);
        }
        return queue.failed(
                entry instanceof FairBulkhead.Full full ? unserved(full, ofTool) : CallFailure.cancelledUnsent());
    }

    private Outcome placed(
            PipelineCall call, FairBulkhead.Place place, @Nullable CircuitBreaker ofTool, TimeoutArbiter arbiter) {
        try (place) {
            if (!call.kind().proves()) {
                place.looks();
            }
            Outcome outcome = admitted(call, ofTool, arbiter);
            if (FailureAttribution.isAnswer(outcome)) {
                place.answered();
            }
            return outcome;
        }
    }

    /// Null if the caller's thread was told to stop.
    private FairBulkhead.@Nullable Entry enter(PipelineCall call) {
        try {
            return bulkhead.enter(call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome admitted(PipelineCall call, @Nullable CircuitBreaker ofTool, TimeoutArbiter arbiter) {
        CallPermits.Asked asked = CallPermits.ask(breaker, ofTool, lease(call));
        if (asked instanceof CallPermits.Asked.Granted granted) {
            return attempts(inFlightCalls.begin(call, granted.permits()), ofTool, arbiter);
        }
        return new Outcome.Failed(CallFailure.refused(((CallPermits.Asked.Refused) asked).rejection()));
    }

    private Outcome attempts(InFlightCalls.Sent sent, @Nullable CircuitBreaker ofTool, TimeoutArbiter arbiter) {
        PipelineCall call = sent.call();
        CallPermits permits = sent.permits();
        retryDecision.called();
        call.deadline().onPause(() -> permits.follow(call.deadline()));
        permits.follow(call.deadline());
        long phase = phaseOf(permits);
        Outcome outcome = BROKEN;
        Delivery furthest = Delivery.NOT_SENT;
        long begun = 0;
        try {
            Duration pause;
            int made = 0;
            do {
                begun = platform.ticker().nanos();
                outcome = made(call, outcome);
                furthest = furthest(furthest, outcome);
                made++;
                pause = isWorthRetrying(phase, sent, ofTool) ? retryDecision.pause(made, call, outcome) : null;
            } while (pause != null && isRested(pause, call) && isWorthRetrying(phase, sent, ofTool));
        } finally {
            inFlightCalls.end(sent);
            if (FailureAttribution.isAnswer(outcome)) {
                crashes.answered(sent);
            }
            conclude(outcome, call.kind(), new TimeoutArbiter.Doubt(permits, begun), arbiter);
            turnAwayIfDown();
        }
        return told(outcome, furthest, arbiter.hasCutSince(begun));
    }

    /// @param before how the call's last attempt ended
    private Outcome made(PipelineCall call, Outcome before) {
        boolean isAgain = ConnectRetryDedup.isUnconnected(before);
        connectRetryDedup.enter(isAgain);
        CallStep attempt = observer.begin(CallStep.Type.ATTEMPT);
        try {
            return attempt.ended(call.attempt().make(call.call()));
        } finally {
            connectRetryDedup.leave(isAgain);
        }
    }

    /// What the last attempt did not reach, one before it may have.
    private static Delivery furthest(Delivery known, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                        && failure.delivery().compareTo(known) > 0
                ? failure.delivery()
                : known;
    }

    /// A connection that we ended ourselves, because nobody answered on it, ends calls of which nobody knows what
    /// they did.
    private Outcome told(Outcome outcome, Delivery furthest, boolean wasCut) {
        if (!(outcome instanceof Outcome.Failed(CallFailure failure))) {
            return outcome;
        }
        boolean isCutOff = wasCut && failure.isCutOff();
        return new Outcome.Failed(isCutOff ? failure.outcomeUnknown(rules.server()) : failure.reaching(furthest));
    }

    /// Nobody waits for a server that counts as down.
    private void turnAwayIfDown() {
        if (breaker.state() == State.OPEN) {
            bulkhead.turnAway();
        }
    }

    /// Which of the breaker's tests a probe belongs to; [#NO_TEST] for any other call.
    private long phaseOf(CallPermits permits) {
        return permits.isProbe() ? breaker.snapshot().transition() : NO_TEST;
    }

    /// What failed meanwhile may have opened the breaker; only a probe of the present test goes on.
    private boolean isWorthRetrying(long phase, InFlightCalls.Sent sent, @Nullable CircuitBreaker ofTool) {
        if (ofTool != null && ofTool.state() == State.OPEN) {
            return false;
        }
        return switch (breaker.state()) {
            case CLOSED, DISABLED -> true;
            case OPEN, FORCED_OPEN -> false;
            case HALF_OPEN -> !sent.hasCrashed() && phase == breaker.snapshot().transition();
        };
    }

    private @Nullable Rejection peek(@Nullable CircuitBreaker ofTool) {
        Rejection refusal = breaker.peek();
        return refusal == null && ofTool != null ? ofTool.peek() : refusal;
    }

    /// As long as the call, its sign of life and what lies between may take.
    private Duration lease(PipelineCall call) {
        long left = Math.clamp(call.deadline().left(), 1, LONGEST_LEASE.toNanos());
        return Duration.ofNanos(left).plus(rules.ping()).plus(SLACK);
    }

    private boolean isRested(Duration pause, PipelineCall call) {
        Thread self = Thread.currentThread();
        call.letOthersPass();
        call.deadline().onChange(() -> LockSupport.unpark(self));
        try {
            platform.await(pause, () -> call.deadline().left() <= 0);
            return call.deadline().left() > 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Null if none judges the call: also if the lane has been replaced, and nobody has needed the tool's since.
    private @Nullable CircuitBreaker toolBreaker(@Nullable String tool) {
        if (tool == null || !rules.tools().enabled()) {
            return null;
        }
        BreakerName name = BreakerName.of(rules.server()).tool(tool);
        Optional<CircuitBreaker> known = breakers.find(name);
        return known.isPresent() ? known.get() : made(name);
    }

    /// Of two lanes of one server only the later makes breakers: they may differ in their policies.
    private @Nullable CircuitBreaker made(BreakerName name) {
        synchronized (making) {
            return replaced ? null : breakers.breaker(name, rules.tools().policy());
        }
    }

    /// Why nobody may call the server now; null if calls are let in as usual. Takes nothing.
    @Nullable
    CallFailure refusal() {
        Rejection rejection = isHealthy() ? null : breaker.peek();
        if (rejection != null) {
            return CallFailure.refused(rejection);
        }
        return isHealthy() ? null : OverloadRejection.recovering(rules.server());
    }

    /// What the server has failed at so far, also under other rules.
    public FailureCounts.Sight failures() {
        return failures.sight();
    }

    /// Calls on their way to the server.
    public int inside() {
        return bulkhead.inside();
    }

    /// Calls that wait for their turn.
    public int waiting() {
        return bulkhead.waiting();
    }

    /// So many calls may be inside at this moment.
    int limit() {
        return bulkhead.limit();
    }

    /// The state of the server's breaker.
    public State state() {
        return breaker.state();
    }

    /// What the server's breaker says to those it refuses; null if it refuses nobody.
    public @Nullable Rejection rejection() {
        return breaker.peek();
    }

    /// Whether calls are let in as usual.
    public boolean isHealthy() {
        return switch (breaker.state()) {
            case CLOSED, DISABLED -> true;
            case OPEN, HALF_OPEN, FORCED_OPEN -> false;
        };
    }

    /// Whether a call would be let in now, as usual or as a probe.
    public boolean isReady() {
        BreakerSnapshot seen = breaker.snapshot();
        // A probe that said nothing has left its place to the next.
        boolean hasPlace = seen.testsUnderWay() < breaker.policy().halfOpen().maxCalls();
        return isHealthy() || seen.probeDue() || (hasPlace && seen.state() == State.HALF_OPEN);
    }

    /// An operator wants to know whether the server is back: if it counts as down, the next call finds out.
    public void endCooldown() {
        breaker.endCooldown();
    }

    /// Notes a call that was refused before it came here, and gives the refusal back.
    public Outcome refused(PipelineCall call, CallFailure why) {
        return observer.see(rules.server(), call, () -> new Outcome.Failed(why));
    }

    /// The server no longer has this tool: its breaker goes with it.
    public void forget(String tool) {
        ours().forget(tool);
    }

    // ---- What comes after it

    /// The pipeline to the same server under other rules. A breaker with the same policy stays, and so does one that
    /// an operator holds open; any other begins anew. Calls in flight finish here.
    public CallPipeline under(PipelineRules other) {
        Map<BreakerName, String> held = held();
        synchronized (making) {
            replaced = true;
        }
        ours().forget(Scope.SERVER, other.breaker());
        ours().forget(Scope.TOOL, other.tools().policy());
        CallPipeline next = new CallPipeline(
                platform, other, new PipelineState(breakers, observer, failures, inFlightCalls, bulkhead));
        next.hold(held);
        return next;
    }

    /// What an operator holds open of the server and its tools, and why.
    public Map<BreakerName, String> held() {
        return ours().held();
    }

    /// Holds open what an operator held open in the lane before, which is not there any more: that was no
    /// knowledge about the server, and is theirs to take back.
    public void hold(Map<BreakerName, String> held) {
        held.forEach((name, reason) -> {
            CircuitBreaker successor = name.scope() == Scope.SERVER ? breaker : toolBreaker(name.tool());
            if (successor != null && successor.state() != State.FORCED_OPEN) {
                successor.forceOpen(reason);
            }
        });
    }

    /// The server is no more: its breakers go.
    public void retire() {
        synchronized (making) {
            replaced = true;
        }
        ours().forgetAll();
    }

    private ServerBreakers ours() {
        return new ServerBreakers(rules.server(), breakers);
    }

    /// Who waited while the breaker opened is refused by it.
    private CallFailure unserved(FairBulkhead.Full full, @Nullable CircuitBreaker ofTool) {
        Rejection refusal = full.why() == FairBulkhead.Full.Why.TURNED_AWAY ? peek(ofTool) : null;
        return refusal == null ? OverloadRejection.overloaded(rules.server(), full) : CallFailure.refused(refusal);
    }

    // ---- What it says about the server

    private void conclude(Outcome outcome, PipelineCall.Kind kind, TimeoutArbiter.Doubt doubt, TimeoutArbiter arbiter) {
        boolean isTrying = breaker.state() == State.HALF_OPEN;
        if (outcome instanceof Outcome.Answered(Message.Answer answer)) {
            answered(answer, kind, doubt.permits());
        } else if (outcome instanceof Outcome.Failed(CallFailure failure)) {
            if (FailureAttribution.of(failure) == FailureAttribution.SERVER) {
                failures.call(failure);
            }
            arbiter.failed(doubt, failure);
        }
        if (isTrying && doubt.permits().isProbe() && breaker.state() == State.CLOSED) {
            // After an outage, the bulkhead opens slowly.
            bulkhead.restartSlowly();
        }
    }

    private void answered(Message.Answer answer, PipelineCall.Kind kind, CallPermits permits) {
        if (!kind.proves()) {
            permits.abandoned();
        } else if (rules.tools().countErrors() && FailureAttribution.isError(answer)) {
            permits.erred();
        } else {
            permits.answered();
        }
    }

    // ---- Connections

    @Override
    public void connecting() {
        // Only how that ends is evidence.
    }

    @Override
    public void connected(Connection connection) {
        // No success of the server's: one may shake hands and fail every call.
        retryDecision.started();
        bulkhead.connected();
    }

    @Override
    public void failed(CallFailure failure) {
        if (connectRetryDedup.isNews()) {
            failures.connecting(failure.category());
            count(failure.category());
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // A server that forgets sessions is there, and is asked for another one.
        if (failure.code() != ErrorCode.SESSION_LOST) {
            failures.connection(failure.category());
            boolean isCrash = failure.category() == FailureCategory.STDIO_EXIT;
            if (isCrash && inFlightCalls.isShared(connection, bulkhead.clients())) {
                bulkhead.restartOneByOne();
            }
            if (!isCrash || !crashes.isOfTools(connection)) {
                count(failure.category());
            }
        }
    }

    /// The client whose calls are the only ones on the connection; null if there are none, or those of several.
    public @Nullable Object onlyClient(Connection connection) {
        return inFlightCalls.onlyClient(connection);
    }

    /// A question for a sign of life stayed without an answer; tells whether the connection is to be ended.
    ///
    /// @param isIdle whether it is known that no call is on it
    boolean silent(FailureCategory category, boolean isIdle) {
        // Whoever comes once the failure is counted may need a fresh process already.
        boolean isAlone = isIdle || bulkhead.clients() == 0;
        failures.sign();
        count(category);
        turnAwayIfDown();
        // Over a network there is nothing to start afresh, and others may be working.
        return rules.retry().freshProcess() && (breaker.state() == State.OPEN || isAlone);
    }

    /// An open breaker knows already, and only a call may be its probe.
    private void count(FailureCategory category) {
        boolean isNews = FailureAttribution.isServers(category) && breaker.state() != State.OPEN;
        if (isNews && breaker.tryAcquire() instanceof Permit permit) {
            permit.failed(category.toString());
        }
    }
}
