package dev.fusebox.client.lane;

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
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Witness;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The resilient path to one server, for all who call it. Thread-safe; only calls block, for as long as their
/// callers have patience.
///
/// ```
/// Way.call -> known to be down?  refused at once, nothing touched
///          -> Doubts              if it is being asked whether its process lives, that is waited for
///          -> Turnstile           a place, in turn
///          -> Permits             of the server's breaker and the tool's
///          -> Attempt             the connection, the exchange; again if Retries says so
///          -> Blame               what it says about the server; silence is judged by Doubts, after the answer
/// ```
///
/// Connections are counted here, too, once each, whoever needed them: a lane is the witness of its server's
/// connections.
public final class Lane implements Witness {
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

    private final World world;
    private final LaneRules rules;
    private final Breakers breakers;
    private final CircuitBreaker breaker;
    private final Turnstile turnstile;
    private final Retries retries;
    private final Onlooker onlooker;
    private final Repeats repeats = new Repeats();
    private final FailureCounts failures;
    private final InFlight inFlight;
    private final CrashJudge crashes;
    private final Object making = new Object();
    private boolean replaced;

    public Lane(World world, LaneRules rules, Breakers breakers) {
        this(world, rules, breakers, Onlooker.NOBODY);
    }

    /// @param breakers of all servers and their tools
    /// @param onlooker sees every call
    public Lane(World world, LaneRules rules, Breakers breakers, Onlooker onlooker) {
        this(world, rules, new Staying(breakers, onlooker, new FailureCounts(), new InFlight(), null));
    }

    private Lane(World world, LaneRules rules, Staying staying) {
        this.world = world;
        this.failures = staying.failures();
        this.rules = rules;
        this.breakers = staying.breakers();
        this.breaker = serverBreaker();
        this.turnstile = new Turnstile(rules.limits(), world, staying.former());
        this.retries = new Retries(world, rules.retry());
        this.onlooker = staying.onlooker();
        this.inFlight = staying.inFlight();
        this.crashes = new CrashJudge(inFlight, rules.tools().crashThreshold(), this::toolBreaker);
    }

    /// One that is kept from a former lane may differ in how long a call may take.
    private CircuitBreaker serverBreaker() {
        BreakerName name = BreakerName.of(rules.server());
        return breakers.find(name).orElseGet(() -> breakers.breaker(name, rules.breaker()));
    }

    /// A way to the server over connections of its own.
    public Way over(Vitals vitals) {
        return new Way(
                this,
                vitals,
                new Doubts.Rules(rules.ping(), LONG_WAIT, rules.retry().freshProcess(), world));
    }

    Outcome call(LaneCall call, Doubts doubts) {
        return onlooker.see(rules.server(), call, () -> judged(call, doubts));
    }

    /// Breaker, queue, permit, attempts, judgement. What is refused has touched nothing.
    private Outcome judged(LaneCall call, Doubts doubts) {
        CircuitBreaker ofTool = toolBreaker(call.kind().tool());
        Rejection refusal = peek(ofTool);
        if (refusal != null) {
            return new Outcome.Failed(CallFailure.refused(refusal));
        }
        CallStep queue = onlooker.begin(CallStep.Type.QUEUE);
        CallFailure inDoubt = doubts.hold(call);
        if (inDoubt != null) {
            return queue.failed(inDoubt);
        }
        Turnstile.Entry entry = enter(call);
        if (entry instanceof Turnstile.Place place) {
            queue.end(null);
            return placed(call, place, ofTool, doubts);
        }
        return queue.failed(
                entry instanceof Turnstile.Full full ? unserved(full, ofTool) : CallFailure.cancelledUnsent());
    }

    private Outcome placed(LaneCall call, Turnstile.Place place, @Nullable CircuitBreaker ofTool, Doubts doubts) {
        try (place) {
            if (!call.kind().proves()) {
                place.looks();
            }
            Outcome outcome = admitted(call, ofTool, doubts);
            if (Blame.isAnswer(outcome)) {
                place.answered();
            }
            return outcome;
        }
    }

    /// Null if the caller's thread was told to stop.
    private Turnstile.@Nullable Entry enter(LaneCall call) {
        try {
            return turnstile.enter(call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome admitted(LaneCall call, @Nullable CircuitBreaker ofTool, Doubts doubts) {
        Permits.Asked asked = Permits.ask(breaker, ofTool, lease(call));
        if (asked instanceof Permits.Asked.Granted granted) {
            return attempts(inFlight.begin(call, granted.permits()), ofTool, doubts);
        }
        return new Outcome.Failed(CallFailure.refused(((Permits.Asked.Refused) asked).rejection()));
    }

    private Outcome attempts(InFlight.Sent sent, @Nullable CircuitBreaker ofTool, Doubts doubts) {
        LaneCall call = sent.call();
        Permits permits = sent.permits();
        retries.called();
        call.patience().onPause(() -> permits.follow(call.patience()));
        permits.follow(call.patience());
        long phase = phaseOf(permits);
        Outcome outcome = BROKEN;
        Delivery furthest = Delivery.NOT_SENT;
        long begun = 0;
        try {
            Duration pause;
            int made = 0;
            do {
                begun = world.ticker().nanos();
                outcome = made(call, outcome);
                furthest = furthest(furthest, outcome);
                made++;
                pause = isWorthRetrying(phase, sent, ofTool) ? retries.pause(made, call, outcome) : null;
            } while (pause != null && isRested(pause, call) && isWorthRetrying(phase, sent, ofTool));
        } finally {
            inFlight.end(sent);
            if (Blame.isAnswer(outcome)) {
                crashes.answered(sent);
            }
            conclude(outcome, call.kind(), new Doubts.Doubt(permits, begun), doubts);
            turnAwayIfDown();
        }
        return told(outcome, furthest, doubts.hasCutSince(begun));
    }

    /// @param before how the call's last attempt ended
    private Outcome made(LaneCall call, Outcome before) {
        boolean isAgain = Repeats.isUnconnected(before);
        repeats.enter(isAgain);
        CallStep attempt = onlooker.begin(CallStep.Type.ATTEMPT);
        try {
            return attempt.ended(call.attempt().make(call.call()));
        } finally {
            repeats.leave(isAgain);
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
            turnstile.turnAway();
        }
    }

    /// Which of the breaker's tests a probe belongs to; [#NO_TEST] for any other call.
    private long phaseOf(Permits permits) {
        return permits.isProbe() ? breaker.snapshot().transition() : NO_TEST;
    }

    /// What failed meanwhile may have opened the breaker; only a probe of the present test goes on.
    private boolean isWorthRetrying(long phase, InFlight.Sent sent, @Nullable CircuitBreaker ofTool) {
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
    private Duration lease(LaneCall call) {
        long left = Math.clamp(call.patience().left(), 1, LONGEST_LEASE.toNanos());
        return Duration.ofNanos(left).plus(rules.ping()).plus(SLACK);
    }

    private boolean isRested(Duration pause, LaneCall call) {
        Thread self = Thread.currentThread();
        call.letOthersPass();
        call.patience().onChange(() -> LockSupport.unpark(self));
        try {
            world.await(pause, () -> call.patience().left() <= 0);
            return call.patience().left() > 0;
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
        return isHealthy() ? null : Busy.recovering(rules.server());
    }

    /// What the server has failed at so far, also under other rules.
    public FailureCounts.Sight failures() {
        return failures.sight();
    }

    /// Calls on their way to the server.
    public int inside() {
        return turnstile.inside();
    }

    /// Calls that wait for their turn.
    public int waiting() {
        return turnstile.waiting();
    }

    /// So many calls may be inside at this moment.
    int limit() {
        return turnstile.limit();
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
    public Outcome refused(LaneCall call, CallFailure why) {
        return onlooker.see(rules.server(), call, () -> new Outcome.Failed(why));
    }

    /// The server no longer has this tool: its breaker goes with it.
    public void forget(String tool) {
        ours().forget(tool);
    }

    // ---- What comes after it

    /// The lane to the same server under other rules. A breaker whose policy is the same goes on as it is, and so
    /// does what an operator holds open; any other begins anew. Calls that are in this lane end in it; what they
    /// find out about a breaker that is gone counts for nothing.
    public Lane under(LaneRules other) {
        Map<BreakerName, String> held = held();
        synchronized (making) {
            replaced = true;
        }
        ours().forget(Scope.SERVER, other.breaker());
        ours().forget(Scope.TOOL, other.tools().policy());
        Lane next = new Lane(world, other, new Staying(breakers, onlooker, failures, inFlight, turnstile));
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

    private BreakersOf ours() {
        return new BreakersOf(rules.server(), breakers);
    }

    /// Who waited while the breaker opened is refused by it.
    private CallFailure unserved(Turnstile.Full full, @Nullable CircuitBreaker ofTool) {
        Rejection refusal = full.why() == Turnstile.Full.Why.TURNED_AWAY ? peek(ofTool) : null;
        return refusal == null ? Busy.overloaded(rules.server(), full) : CallFailure.refused(refusal);
    }

    // ---- What it says about the server

    private void conclude(Outcome outcome, LaneCall.Kind kind, Doubts.Doubt doubt, Doubts doubts) {
        boolean isTrying = breaker.state() == State.HALF_OPEN;
        if (outcome instanceof Outcome.Answered(Message.Answer answer)) {
            answered(answer, kind, doubt.permits());
        } else if (outcome instanceof Outcome.Failed(CallFailure failure)) {
            if (Blame.of(failure) == Blame.SERVER) {
                failures.call(failure);
            }
            doubts.failed(doubt, failure);
        }
        if (isTrying && doubt.permits().isProbe() && breaker.state() == State.CLOSED) {
            // Whoever comes after an outage meets a lane that opens slowly.
            turnstile.restartSlowly();
        }
    }

    private void answered(Message.Answer answer, LaneCall.Kind kind, Permits permits) {
        if (!kind.proves()) {
            permits.abandoned();
        } else if (rules.tools().countErrors() && Blame.isError(answer)) {
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
        retries.started();
        turnstile.connected();
    }

    @Override
    public void failed(CallFailure failure) {
        if (repeats.isNews()) {
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
            if (isCrash && inFlight.isShared(connection, turnstile.clients())) {
                turnstile.restartOneByOne();
            }
            if (!isCrash || !crashes.isOfTools(connection)) {
                count(failure.category());
            }
        }
    }

    /// The client whose calls are the only ones on the connection; null if there are none, or those of several.
    public @Nullable Object onlyClient(Connection connection) {
        return inFlight.onlyClient(connection);
    }

    /// A question for a sign of life stayed without an answer; tells whether the connection is to be ended.
    ///
    /// @param isIdle whether it is known that no call is on it
    boolean silent(FailureCategory category, boolean isIdle) {
        // Whoever comes once the failure is counted may need a fresh process already.
        boolean isAlone = isIdle || turnstile.clients() == 0;
        failures.sign();
        count(category);
        turnAwayIfDown();
        // Over a network there is nothing to start afresh, and others may be working.
        return rules.retry().freshProcess() && (breaker.state() == State.OPEN || isAlone);
    }

    /// An open breaker knows already, and only a call may be its probe.
    private void count(FailureCategory category) {
        boolean isNews = Blame.isServers(category) && breaker.state() != State.OPEN;
        if (isNews && breaker.tryAcquire() instanceof Permit permit) {
            permit.failed(category.toString());
        }
    }
}
