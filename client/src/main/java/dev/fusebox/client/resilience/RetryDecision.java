package dev.fusebox.client.resilience;

import dev.fusebox.breaker.RetryBudget;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Decides whether a call is made again: at most once unless it is proven that nothing ran, or doing it twice is
/// allowed. Thread-safe; nothing blocks.
final class RetryDecision {
    private final Platform platform;
    private final RetryRules rules;
    private final RetryBudget budget;
    private final AtomicInteger starts = new AtomicInteger();

    RetryDecision(Platform platform, RetryRules rules) {
        this.platform = platform;
        this.rules = rules;
        RetryBudget.Rules usual = RetryBudget.Rules.defaults();
        this.budget = new RetryBudget(
                new RetryBudget.Rules(usual.initial(), rules.budgetRatio(), usual.perSecond(), usual.cap()),
                platform.ticker()::nanos);
    }

    /// A call begins; its retries are not calls.
    void called() {
        budget.called();
    }

    /// The server was started, or started again.
    void started() {
        starts.incrementAndGet();
    }

    /// How long to wait before the call is made again; null if it is not.
    ///
    /// @param made attempts so far
    @Nullable
    Duration pause(int made, PipelineCall call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed(CallFailure failure))) {
            // The server has answered, good or bad.
            return null;
        }
        if (made >= attempts() || !mayHelp(failure) || !mayRepeat(call, failure)) {
            return null;
        }
        Duration pause = isAtOnce(failure) ? Duration.ZERO : wait(made);
        Duration wanted = failure.evidence().retryAfter();
        if (wanted != null && wanted.compareTo(pause) > 0) {
            // Sooner, it would only be refused, and nobody would know what had failed.
            pause = wanted;
        }
        if (pause.toNanos() >= call.deadline().left()) {
            // All attempts share one deadline.
            return null;
        }
        return budget.tryRetry() ? pause : null;
    }

    /// What is there afresh needs no rest: a process that replaces a dead one, and a session that replaces a lost
    /// one.
    private boolean isAtOnce(CallFailure failure) {
        boolean isDeath = rules.freshProcess() && failure.category() == FailureCategory.STDIO_EXIT;
        return isDeath || failure.code() == ErrorCode.SESSION_LOST;
    }

    /// A fresh process is one further attempt; if that fails, too, waiting does not help.
    private int attempts() {
        return rules.freshProcess() ? Math.min(rules.attempts(), 2) : rules.attempts();
    }

    private Duration wait(int made) {
        return rules.backoff().before(made, platform.random());
    }

    private boolean mayHelp(CallFailure failure) {
        return switch (failure.category()) {
            // A process that has just failed to start was as fresh as any.
            case OFFLINE, HTTP, STDIO_EXIT -> !(rules.freshProcess() && isOfConnecting(failure));
            // A shortage of ours may pass; refusals, the server's wishes and the end of the time do not.
            case LOCAL -> failure.code() == ErrorCode.CONNECT_FAILED && failure.delivery() == Delivery.NOT_SENT;
            case OTHER -> failure.code() == ErrorCode.SESSION_LOST;
            case AUTH, PROTOCOL, CANCELLED, POLICY -> false;
        };
    }

    private static boolean isOfConnecting(CallFailure failure) {
        return switch (failure.evidence().extent()) {
            case CONNECTING -> true;
            case CALL, CONNECTION -> false;
        };
    }

    private boolean mayRepeat(PipelineCall call, CallFailure failure) {
        boolean isUnsent = failure.delivery() == Delivery.NOT_SENT;
        return switch (call.kind().retrySafety()) {
            case NEVER -> false;
            case SAFE -> isUnsent || call.kind().repeatable();
            case ALWAYS -> isUnsent || call.kind().repeatable() || !rules.freshProcess() || mayRestart();
        };
    }

    /// What may have run is tried on a fresh process for vital servers, and for those that have held so far.
    private boolean mayRestart() {
        return rules.vital() || starts.get() <= 1;
    }
}
