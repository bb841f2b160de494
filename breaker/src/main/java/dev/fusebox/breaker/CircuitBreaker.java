package dev.fusebox.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: protects a resource that can fail, and rejects calls while it is known to be down.
 *
 * <pre>{@code
 * CircuitBreaker breaker = CircuitBreaker.of("jira");
 * Issue issue = breaker.call(() -> jira.issue("BZ-1234"));
 * }</pre>
 *
 * <p>The state is a {@link Phase}, replaced by compare-and-set; {@link State} has the diagram. A breaker has no threads
 * or timers: due transitions happen on the next call, and reading never changes anything. Nothing is retained for a
 * call, so an unreferenced breaker leaves nothing behind. Thread-safe; nothing blocks but the caller's own work, and
 * listeners, which run on the thread of the call unless an executor was given.
 */
public final class CircuitBreaker {
    private static final VarHandle PHASE = phaseHandle();

    private final BreakerName name;
    private final BreakerPolicy policy;
    private final Surroundings surroundings;
    private final Judge judge;
    private final Ledger ledger;
    private final long leaseNanos;
    private volatile Phase phase;

    CircuitBreaker(BreakerBuilder settings, Listeners listeners) {
        this.name = settings.name;
        this.policy = settings.policy;
        this.surroundings = settings.surroundings;
        this.judge = new SafeJudge(settings.judge, listeners);
        this.ledger = new Ledger(this, listeners);
        this.leaseNanos = policy.lease().toNanos();
        this.phase = new ClosedPhase(this, since(0), History.NONE);
    }

    /** A breaker with the default policy. */
    public static CircuitBreaker of(String name) {
        return named(name).build();
    }

    /** A breaker with this policy. */
    public static CircuitBreaker of(String name, BreakerPolicy policy) {
        return named(name).policy(policy).build();
    }

    /** A builder for a breaker with further settings. */
    public static BreakerBuilder named(String name) {
        return new BreakerBuilder(BreakerName.of(name));
    }

    // ---- Calling --------------------------------------------------------------------------------------------------

    /**
     * Makes the call, or rejects it. What the work returns or throws passes through unchanged.
     *
     * <p>There is no timeout: only the lease of a probe bounds how long the breaker waits for it.
     *
     * @throws CallRejectedException if the breaker rejected the call; the work was not started
     */
    public <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        Phase entered = phase;
        return entered.isFree() ? callFreely(entered, work) : SettledCall.run(permitOrThrow(tryAcquire()), judge, work);
    }

    /**
     * Makes the call, or returns a fallback if it is rejected. Failures of the work get no fallback: the work may have
     * taken effect.
     */
    public <T extends @Nullable Object> T call(Callable<T> work, Function<? super Rejection, ? extends T> refused)
            throws Exception {
        Objects.requireNonNull(work, "work");
        Phase entered = phase;
        if (entered.isFree()) {
            return callFreely(entered, work);
        }
        Admission admission = tryAcquire();
        return admission instanceof Permit permit
                ? SettledCall.run(permit, judge, work)
                : refused.apply((Rejection) admission);
    }

    /**
     * Makes a call without a result, or rejects it. What the work throws passes through unchanged.
     *
     * @throws CallRejectedException if the breaker rejected the call; the work was not started
     */
    public void run(Runnable work) {
        UncheckedCall.run(this, work);
    }

    /**
     * Makes a call that throws no checked exception, or rejects it: {@link #call(Callable)} for callers that cannot
     * throw one either.
     *
     * @throws CallRejectedException if the breaker rejected the call; the work was not started
     */
    public <T extends @Nullable Object> T callUnchecked(Supplier<T> work) {
        return UncheckedCall.call(this, work);
    }

    /**
     * The same work behind this breaker: each call of it is a {@link #call(Callable)}. Work that throws no checked
     * exception: {@link #decorateSupplier}; work without a result: {@link #decorateRunnable}. Their names differ
     * because a lambda could match any of them.
     */
    public <T extends @Nullable Object> Callable<T> decorate(Callable<T> work) {
        Objects.requireNonNull(work, "work");
        return () -> call(work);
    }

    /** The same work behind this breaker: each {@code get} is a {@link #callUnchecked}. */
    public <T extends @Nullable Object> Supplier<T> decorateSupplier(Supplier<T> work) {
        Objects.requireNonNull(work, "work");
        return () -> callUnchecked(work);
    }

    /**
     * The same work behind this breaker: each {@code run} is a {@link #run}. In an executor, a rejection is an
     * exception of the task.
     */
    public Runnable decorateRunnable(Runnable work) {
        Objects.requireNonNull(work, "work");
        return () -> run(work);
    }

    /**
     * Makes the call with a timeout: after {@code timeout} the work is interrupted and counted as a failure.
     *
     * <p>The work runs on the calling thread; the executor only watches the time. Work that ignores the interruption
     * keeps its thread, but the breaker counts the failure in time. An interruption by another thread at the same
     * moment cannot be distinguished from that of the timeout.
     *
     * @throws java.util.concurrent.TimeoutException if the timeout elapsed first
     */
    public <T extends @Nullable Object> T call(Callable<T> work, Duration timeout, ScheduledExecutorService timer)
            throws Exception {
        Objects.requireNonNull(work, "work");
        Limit limit = new Limit(timeout, timer);
        return new TimedCall(permitOrThrow(tryAcquire(limit.lease())), judge, limit).run(work);
    }

    /** Makes the call with the timeout of the policy. */
    public <T extends @Nullable Object> T call(Callable<T> work, ScheduledExecutorService timer) throws Exception {
        return call(work, policy.callTimeout(), timer);
    }

    /**
     * The asynchronous form: the completion of the stage settles the call. A rejection or an exception of the supplier
     * completes the future exceptionally. Cancelling the returned future cancels the stage and abandons the call.
     */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> work) {
        Objects.requireNonNull(work, "work");
        Admission admission = tryAcquire();
        return admission instanceof Permit permit
                ? new AsyncCall<T>(permit, judge).start(work)
                : CompletableFuture.failedFuture(((Rejection) admission).toException());
    }

    /** The asynchronous form with a timeout: after {@code timeout} the stage is cancelled and counted as a failure. */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Supplier<? extends CompletionStage<T>> work, Duration timeout, ScheduledExecutorService timer) {
        Objects.requireNonNull(work, "work");
        Limit limit = new Limit(timeout, timer);
        Admission admission = tryAcquire(limit.lease());
        return admission instanceof Permit permit
                ? new AsyncCall<T>(permit, judge).startWithin(limit, work)
                : CompletableFuture.failedFuture(((Rejection) admission).toException());
    }

    /** Requests one call. A caller that gets a {@link Permit} has to end it. */
    public Admission tryAcquire() {
        return admit(leaseNanos);
    }

    /** Requests one call that, if it is a probe, may hold its permit for the given time. */
    public Admission tryAcquire(Duration lease) {
        Rule.time("lease", lease);
        return admit(lease.toNanos());
    }

    /**
     * The rejection that a call would get now; null if it would be admitted. Takes no permit, so that a caller can be
     * rejected before it waits for another resource. A returned rejection is counted.
     */
    public @Nullable Rejection peek() {
        Rejection refusal = phase.peek();
        if (refusal != null) {
            ledger.publishRejection(refusal);
        }
        return refusal;
    }

    /** The common case: no permit is taken or returned, and nothing is allocated. */
    private <T extends @Nullable Object> T callFreely(Phase entered, Callable<T> work) throws Exception {
        long started = ledger.startOfCall();
        T result;
        try {
            result = work.call();
        } catch (Throwable thrown) {
            settle(entered, null, judge.threw(thrown), started);
            throw thrown;
        }
        settle(entered, null, judge.returned(result), started);
        return result;
    }

    private static Permit permitOrThrow(Admission admission) {
        if (admission instanceof Rejection rejection) {
            throw rejection.toException();
        }
        return (Permit) admission;
    }

    private Admission admit(long nanos) {
        Admission admission = phase.admit(nanos);
        while (admission == null) {
            // The phase has ended since it was read: the next one decides.
            admission = phase.admit(nanos);
        }
        if (admission instanceof Rejection rejection) {
            ledger.publishRejection(rejection);
        }
        return admission;
    }

    // ---- Settling -------------------------------------------------------------------------------------------------

    /** Every call ends here, once. A call that began in another phase only changes the count of late results. */
    void settle(Phase entered, @Nullable Permit permit, Verdict verdict, long started) {
        long nanos = ledger.duration(permit, started);
        boolean counted = !entered.isOver() && entered.ended(permit, verdict, nanos);
        if (!counted) {
            ledger.late();
        }
        ledger.publishCall(entered, verdict, started, nanos);
    }

    /** The only way from one phase to the next; false if another thread was first. */
    boolean replace(Phase before, Phase next) {
        return PHASE.compareAndSet(this, before, next);
    }

    // ---- Operating ------------------------------------------------------------------------------------------------

    /** Rejects every call until {@link #reset()}. */
    public void forceOpen(String reason) {
        Rule.text("reason", reason);
        moveTo(
                before -> new ForcedOpenPhase(this, sinceFor(before, State.FORCED_OPEN), before.history(), reason),
                new Reason.Forced(reason));
    }

    /** Admits and counts every call, but never trips, until {@link #reset()}. */
    public void disable() {
        moveTo(
                before -> new DisabledPhase(this, sinceFor(before, State.DISABLED), before.history()),
                new Reason.Disabled());
    }

    /** Closes the breaker and clears its counts. Calls in flight no longer count. */
    public void reset() {
        moveTo(
                before -> new ClosedPhase(
                        this, sinceFor(before, State.CLOSED), before.history().cleared()),
                new Reason.Reset());
    }

    /**
     * Ends the cooldown of an open breaker: its next call is the probe. Nothing else changes: a probe that fails opens
     * the breaker again, for longer. Has no effect in any other state.
     */
    public void endCooldown() {
        if (phase instanceof OpenPhase open && !open.probeDue()) {
            // Another thread has changed the state in the meantime.
            replace(open, open.ended());
        }
    }

    /**
     * For a manager that removes the breaker: calls in flight become late, and listeners get no more events. A breaker
     * that an operator forced open still rejects calls.
     */
    void retire() {
        ledger.listeners().detach();
        if (state() != State.FORCED_OPEN) {
            reset();
        }
    }

    private void moveTo(Function<Phase, Phase> following, Reason reason) {
        Phase before;
        Phase next;
        do {
            before = phase;
            next = following.apply(before);
        } while (!replace(before, next));
        if (before.state() != next.state()) {
            ledger.publishTransition(before, next, reason);
        }
    }

    /** Adds a listener for one type of events, {@link BreakerEvent} for all. Its exceptions are only counted. */
    public <E extends BreakerEvent> Subscription on(Class<E> type, Consumer<? super E> listener) {
        return ledger.listeners().add(type, listener);
    }

    // ---- Reading --------------------------------------------------------------------------------------------------

    public BreakerName name() {
        return name;
    }

    public BreakerPolicy policy() {
        return policy;
    }

    public State state() {
        return phase.state();
    }

    /** The data for a status page. */
    public BreakerSnapshot snapshot() {
        return ledger.snapshot(phase);
    }

    @Override
    public String toString() {
        return "CircuitBreaker[" + name + ", " + phase.state() + "]";
    }

    Surroundings surroundings() {
        return surroundings;
    }

    Ledger ledger() {
        return ledger;
    }

    Phase phase() {
        return phase;
    }

    private Phase.Since since(long transition) {
        return new Phase.Since(
                transition, surroundings.ticker().nanos(), surroundings.wall().instant());
    }

    /** When the phase after {@code before} begins: now, or, if it is the same state again, when that began. */
    Phase.Since sinceFor(Phase before, State next) {
        return before.state() == next ? before.since() : since(before.since().transition() + 1);
    }

    private static VarHandle phaseHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CircuitBreaker.class, "phase", Phase.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
