package dev.fusebox.client.resilience;

import dev.fusebox.breaker.RetryBudget;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The retry decision for a server's calls: a call is made again only if it provably did not run, or may be
/// repeated. Thread-safe; nothing blocks.
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

    /// Counts a call for the retry budget; its retries do not count.
    void called() {
        budget.called();
    }

    /// Notes that the server was started or restarted.
    void started() {
        starts.incrementAndGet();
    }

    /// How long to wait before the call is made again; null if it is not.
    ///
    /// @param made attempts so far
    @Nullable
    Duration pause(int made, PipelineCall call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed(CallFailure failure))) {
            // The server has answered, with a result or an error.
            return null;
        }
        if (made >= attempts() || !mayHelp(failure) || !mayRepeat(call, failure)) {
            return null;
        }
        Duration pause = isAtOnce(failure) ? Duration.ZERO : wait(made);
        Duration wanted = failure.evidence().retryAfter();
        if (wanted != null && wanted.compareTo(pause) > 0) {
            // A retry before that would only be refused, and its outcome would hide the first failure.
            pause = wanted;
        }
        if (pause.toNanos() >= call.deadline().left()) {
            // All attempts share one deadline.
            return null;
        }
        return budget.tryRetry() ? pause : null;
    }

    /// A new process after an exit, and a new session after a loss, need no delay.
    private boolean isAtOnce(CallFailure failure) {
        boolean isDeath = rules.freshProcess() && failure.category() == FailureCategory.STDIO_EXIT;
        return isDeath || failure.id() == ErrorId.SESSION_LOST;
    }

    /// A new process is one further attempt; if that fails, too, waiting does not help.
    private int attempts() {
        return rules.freshProcess() ? Math.min(rules.attempts(), 2) : rules.attempts();
    }

    private Duration wait(int made) {
        return rules.backoff().before(made, platform.random());
    }

    private boolean mayHelp(CallFailure failure) {
        return switch (failure.category()) {
            // A process that has just failed to start was new already.
            case OFFLINE, HTTP, STDIO_EXIT -> !(rules.freshProcess() && isOfConnecting(failure));
            // A local shortage may pass; refusals, the server's wishes and the deadline do not.
            case LOCAL -> failure.code() == ErrorCode.CONNECT_FAILED && failure.delivery() == Delivery.NOT_SENT;
            case OTHER -> failure.id() == ErrorId.SESSION_LOST;
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

    /// A call that may have run is repeated on a new process only for vital servers, and for those that have
    /// not been restarted before.
    private boolean mayRestart() {
        return rules.vital() || starts.get() <= 1;
    }
}
