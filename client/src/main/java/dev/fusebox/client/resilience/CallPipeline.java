package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallStep;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The call pipeline of one server, for all its callers. Thread-safe; only calls block, until their deadlines.
///
/// ```
/// call -> breaker peek        an open breaker rejects immediately
///      -> TimeoutArbiter      waits for a health check that is running
///      -> FairBulkhead        the queue
///      -> CallPermits         of the server's breaker and of the tool's
///      -> Endpoint            an attempt; RetryDecision decides whether another one follows
///      -> FailureAttribution  success, failure or neither; TimeoutArbiter settles timeouts later
/// ```
///
/// The pipeline also listens to its server's connections, each of which is counted once.
public final class CallPipeline implements ConnectionListener {
    /// A caller that leaves after waiting this long may have left because the server did not answer.
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);
    private static final Duration SLACK = Duration.ofSeconds(1);

    /// Longest lease of a probe, regardless of the timeout of its call.
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /// Not the number of any phase of a breaker.
    private static final long NO_TEST = -1;

    /// Outcome of an attempt that threw an exception, which is an internal error and gives no information about
    /// the server.
    private static final Outcome BROKEN =
            new Outcome.Failed(CallFailure.notSent(ErrorId.INTERNAL, "internal error in the gateway"));

    private final Platform platform;
    private final PipelineRules rules;
    private final ServerBreakers breakers;
    private final CircuitBreaker breaker;
    private final FairBulkhead bulkhead;
    private final RetryDecision retryDecision;
    private final CallObserver observer;
    private final ConnectRetryDedup connectRetryDedup = new ConnectRetryDedup();
    private final FailureCounts failures;
    private final InFlightCalls inFlightCalls;
    private final CrashRecorder crashes;

    public CallPipeline(Platform platform, PipelineRules rules, Breakers breakers) {
        this(platform, rules, breakers, CallObserver.NONE);
    }

    /// @param breakers registry of all breakers
    /// @param observer notified of every call
    public CallPipeline(Platform platform, PipelineRules rules, Breakers breakers, CallObserver observer) {
        this(platform, new ServerBreakers(rules, breakers), observer, null);
    }

    /// @param former the previous pipeline to the same server, in which calls may still be in flight; null if
    ///     there is none
    private CallPipeline(
            Platform platform, ServerBreakers breakers, CallObserver observer, @Nullable CallPipeline former) {
        this.platform = platform;
        this.rules = breakers.rules();
        this.breakers = breakers;
        this.breaker = breakers.server();
        this.observer = observer;
        this.bulkhead = new FairBulkhead(rules.limits(), platform, former == null ? null : former.bulkhead);
        this.retryDecision = new RetryDecision(platform, rules.retry());
        this.failures = former == null ? new FailureCounts() : former.failures;
        this.inFlightCalls = former == null ? new InFlightCalls() : former.inFlightCalls;
        this.crashes = new CrashRecorder(inFlightCalls, rules.tools().crashThreshold(), breakers::ofTool);
    }

    /// Creates the arbiter for timeouts on some connections to this server; to be given with each call that
    /// uses them.
    ///
    /// @param liveness of those connections
    public TimeoutArbiter arbiter(Liveness liveness) {
        return new TimeoutArbiter(
                liveness,
                new TimeoutArbiter.Rules(rules.ping(), LONG_WAIT, rules.retry().freshProcess(), platform),
                this::silent);
    }

    /// Makes the call, or refuses it. A refused call has used nothing but the queue. Blocks at most until the
    /// deadline of the call.
    ///
    /// @param arbiter of the connections that the call uses
    public Outcome call(PipelineCall call, TimeoutArbiter arbiter) {
        CallObserver.Observation observation = observer.begun(rules.server(), call);
        Outcome outcome = null;
        try {
            outcome = switch (admit(call, arbiter)) {
                case Admission.Refused(CallFailure failure) -> new Outcome.Failed(failure);
                case Admission.Admitted admitted -> attempts(admitted, arbiter);
            };
            return outcome;
        } finally {
            observation.ended(outcome);
        }
    }

    /// The result of the admission of a call.
    private sealed interface Admission {
        /// @param slot in the bulkhead
        /// @param toolBreaker null if the call has none
        record Admitted(
                FairBulkhead.Slot slot,
                InFlightCalls.InFlightCall inFlightCall,
                @Nullable CircuitBreaker toolBreaker) implements Admission {}

        record Refused(CallFailure failure) implements Admission {}
    }

    /// The steps before the first attempt: an open breaker refuses at once, then comes a running health check,
    /// then the queue, and then the permits.
    private Admission admit(PipelineCall call, TimeoutArbiter arbiter) {
        CircuitBreaker toolBreaker = breakers.ofTool(call.kind().tool());
        Rejection open = breakers.peek(toolBreaker);
        if (open != null) {
            return new Admission.Refused(CallFailure.refused(open));
        }
        CallStep queue = CallStep.begin(CallStep.Type.QUEUE);
        CallFailure inDoubt = arbiter.awaitPing(call);
        FairBulkhead.Entry entry = inDoubt == null ? enter(call) : null;
        if (!(entry instanceof FairBulkhead.Slot slot)) {
            CallFailure why = inDoubt == null ? unserved(entry, toolBreaker) : inDoubt;
            queue.end(why);
            return new Admission.Refused(why);
        }
        queue.end(null);
        boolean isAdmitted = false;
        try {
            CallPermits.PermitResult permitResult = CallPermits.ask(breaker, toolBreaker, lease(call));
            if (!(permitResult instanceof CallPermits.PermitResult.Granted(CallPermits permits))) {
                return new Admission.Refused(
                        CallFailure.refused(((CallPermits.PermitResult.Refused) permitResult).rejection()));
            }
            Admission admitted = new Admission.Admitted(slot, inFlightCalls.begin(call, permits), toolBreaker);
            isAdmitted = true;
            return admitted;
        } finally {
            if (!isAdmitted) {
                slot.close();
            }
        }
    }

    /// Null if the thread of the call was interrupted.
    private FairBulkhead.@Nullable Entry enter(PipelineCall call) {
        try {
            FairBulkhead.Entry entry = bulkhead.enter(call);
            if (entry instanceof FairBulkhead.Slot slot && !call.kind().proves()) {
                slot.looks();
            }
            return entry;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome attempts(Admission.Admitted admitted, TimeoutArbiter arbiter) {
        InFlightCalls.InFlightCall inFlightCall = admitted.inFlightCall();
        PipelineCall call = inFlightCall.call();
        CallPermits permits = inFlightCall.permits();
        CircuitBreaker toolBreaker = admitted.toolBreaker();
        Outcome outcome = BROKEN;
        Delivery furthest = Delivery.NOT_SENT;
        long begun = 0;
        try (FairBulkhead.Slot slot = admitted.slot()) {
            retryDecision.called();
            call.deadline().onPause(() -> permits.follow(call.deadline()));
            permits.follow(call.deadline());
            long phase = phaseOf(permits);
            try {
                Duration pause;
                int made = 0;
                do {
                    begun = platform.ticker().nanos();
                    outcome = attempt(call, outcome);
                    furthest = furthest(furthest, outcome);
                    made++;
                    pause = isWorthRetrying(phase, inFlightCall, toolBreaker)
                            ? retryDecision.pause(made, call, outcome)
                            : null;
                } while (pause != null && isRested(pause, call) && isWorthRetrying(phase, inFlightCall, toolBreaker));
            } finally {
                inFlightCalls.end(inFlightCall);
                if (FailureAttribution.isAnswer(outcome)) {
                    crashes.answered(inFlightCall);
                }
                conclude(outcome, call.kind(), new TimeoutArbiter.UnansweredCall(permits, begun), arbiter);
                turnAwayIfDown();
            }
            if (FailureAttribution.isAnswer(outcome)) {
                slot.answered();
            }
        }
        return reported(outcome, furthest, arbiter.hasCutSince(begun));
    }

    /// @param before outcome of the call's last attempt
    private Outcome attempt(PipelineCall call, Outcome before) {
        boolean isAgain = ConnectRetryDedup.isUnconnected(before);
        connectRetryDedup.enter(isAgain);
        CallStep step = CallStep.begin(CallStep.Type.ATTEMPT);
        try {
            return step.ended(call.endpoint().call(call.call()));
        } finally {
            connectRetryDedup.leave(isAgain);
        }
    }

    /// An earlier attempt may have got further than the last one.
    private static Delivery furthest(Delivery known, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                        && failure.delivery().compareTo(known) > 0
                ? failure.delivery()
                : known;
    }

    /// If the gateway closed the connection itself because the server did not answer, it is unknown whether its
    /// calls were executed.
    private Outcome reported(Outcome outcome, Delivery furthest, boolean wasCut) {
        if (!(outcome instanceof Outcome.Failed(CallFailure failure))) {
            return outcome;
        }
        boolean isCutOff = wasCut && failure.isCutOff();
        return new Outcome.Failed(isCutOff ? failure.outcomeUnknown(rules.server()) : failure.withDelivery(furthest));
    }

    /// Empties the queue if the server counts as down.
    private void turnAwayIfDown() {
        if (breaker.state() == State.OPEN) {
            bulkhead.rejectQueued();
        }
    }

    /// The phase of the breaker that a probe belongs to; [#NO_TEST] for any other call.
    private long phaseOf(CallPermits permits) {
        return permits.isProbe() ? breaker.snapshot().transition() : NO_TEST;
    }

    /// Failures may have opened the breaker in the meantime; only a probe of the current phase continues.
    private boolean isWorthRetrying(
            long phase, InFlightCalls.InFlightCall inFlightCall, @Nullable CircuitBreaker ofTool) {
        if (ofTool != null && ofTool.state() == State.OPEN) {
            return false;
        }
        return switch (breaker.state()) {
            case CLOSED, DISABLED -> true;
            case OPEN, FORCED_OPEN -> false;
            case HALF_OPEN ->
                !inFlightCall.hasCrashed() && phase == breaker.snapshot().transition();
        };
    }

    /// The sum of what the call, its health check and the steps between them may take.
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

    /// Why the server takes no calls now; null if calls are admitted as usual. Takes no permit.
    public @Nullable CallFailure refusal() {
        Rejection rejection = isHealthy() ? null : breaker.peek();
        if (rejection != null) {
            return CallFailure.refused(rejection);
        }
        return isHealthy() ? null : OverloadRejection.recovering(rules.server());
    }

    /// The failures of the server so far, including those under earlier rules.
    public FailureCounts.Snapshot failures() {
        return failures.snapshot();
    }

    /// The number of running calls.
    public int inFlight() {
        return bulkhead.inFlight();
    }

    /// The number of queued calls.
    public int waiting() {
        return bulkhead.waiting();
    }

    /// The current bound on running calls.
    int limit() {
        return bulkhead.limit();
    }

    /// The state of the server's breaker.
    public State state() {
        return breaker.state();
    }

    /// The rejection that the server's breaker gives; null if it rejects no call.
    public @Nullable Rejection rejection() {
        return breaker.peek();
    }

    /// Whether calls are admitted as usual.
    public boolean isHealthy() {
        return breakers.isHealthy();
    }

    /// Whether a call would be admitted now, as usual or as a probe.
    public boolean isReady() {
        BreakerSnapshot seen = breaker.snapshot();
        // A probe without a verdict has left its place to the next.
        boolean hasPlace = seen.testsUnderWay() < breaker.policy().halfOpen().maxCalls();
        return isHealthy() || seen.probeDue() || (hasPlace && seen.state() == State.HALF_OPEN);
    }

    /// Ends the cooldown at an operator's request: if the server counts as down, the next call is a probe.
    public void endCooldown() {
        breaker.endCooldown();
    }

    /// Reports a call that was refused before the pipeline, and returns the refusal.
    public Outcome refused(PipelineCall call, CallFailure why) {
        Outcome refused = new Outcome.Failed(why);
        observer.begun(rules.server(), call).ended(refused);
        return refused;
    }

    /// Removes the breaker of a tool that the server no longer has.
    public void forget(String tool) {
        breakers.forget(tool);
    }

    // ---- Successors

    /// Creates the pipeline to the same server under other rules. Calls in flight finish here.
    public CallPipeline under(PipelineRules other) {
        return new CallPipeline(platform, breakers.under(other), observer, this);
    }

    /// The breakers of the server and its tools that an operator holds open, with the reasons.
    public Map<BreakerName, String> held() {
        return breakers.held();
    }

    /// Restores what an operator held open before: only an operator ends that.
    public void restoreForcedOpen(Map<BreakerName, String> held) {
        breakers.restoreForcedOpen(held);
    }

    /// Removes the breakers of the server, which is not configured any more.
    public void retire() {
        breakers.retire();
    }

    /// The refusal of a call that got no place; if the breaker opened while it was queued, the breaker's
    /// rejection.
    ///
    /// @param entry null if the thread of the call was interrupted
    private CallFailure unserved(FairBulkhead.@Nullable Entry entry, @Nullable CircuitBreaker ofTool) {
        if (!(entry instanceof FairBulkhead.Full full)) {
            return CallFailure.cancelledUnsent();
        }
        Rejection refusal =
                full.rejectionReason() == FairBulkhead.Full.RejectionReason.TURNED_AWAY ? breakers.peek(ofTool) : null;
        return refusal == null ? OverloadRejection.overloaded(rules.server(), full) : CallFailure.refused(refusal);
    }

    // ---- Outcome attribution

    private void conclude(
            Outcome outcome,
            PipelineCall.Kind kind,
            TimeoutArbiter.UnansweredCall unansweredCall,
            TimeoutArbiter arbiter) {
        boolean isTrying = breaker.state() == State.HALF_OPEN;
        if (outcome instanceof Outcome.Answered(Message.Answer answer)) {
            answered(answer, kind, unansweredCall.permits());
        } else if (outcome instanceof Outcome.Failed(CallFailure failure)) {
            if (FailureAttribution.of(failure) == FailureAttribution.SERVER) {
                failures.call(failure);
            }
            arbiter.failed(unansweredCall, failure);
        }
        if (isTrying && unansweredCall.permits().isProbe() && breaker.state() == State.CLOSED) {
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
        // Only the result of the attempt is evidence.
    }

    @Override
    public void connected(Connection connection) {
        // Not a success for the breaker: a server may complete the handshake and fail every call.
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
        // A server that has lost the session is alive, and gets a new handshake.
        if (failure.id() != ErrorId.SESSION_LOST) {
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

    /// Handles a failed health check; returns whether the connection is to be closed.
    ///
    /// @param isIdle whether it is known that no call is on it
    boolean silent(FailureCategory category, boolean isIdle) {
        // Read first: a call that comes once the failure is counted may already need a new process.
        boolean isAlone = isIdle || bulkhead.clients() == 0;
        failures.sign();
        count(category);
        turnAwayIfDown();
        // A remote server has no process to restart, and other calls may be running on the connection.
        return rules.retry().freshProcess() && (breaker.state() == State.OPEN || isAlone);
    }

    /// Not while the breaker is open: it needs no more failures, and only a call may be its probe.
    private void count(FailureCategory category) {
        boolean isNews = FailureAttribution.isServers(category) && breaker.state() != State.OPEN;
        if (isNews && breaker.tryAcquire() instanceof Permit permit) {
            permit.failed(category.toString());
        }
    }
}
