package dev.fusebox.client.lane;

import dev.fusebox.breaker.RetryBudget;
import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Reached;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Decides whether a call is made again: at most once unless it is proven that nothing ran, or doing it twice is
/// allowed. Thread-safe; nothing blocks.
final class Retries {
    private final World world;
    private final RetryRules rules;
    private final RetryBudget budget;
    private final AtomicInteger starts = new AtomicInteger();

    Retries(World world, RetryRules rules) {
        this.world = world;
        this.rules = rules;
        RetryBudget.Rules usual = RetryBudget.Rules.defaults();
        this.budget = new RetryBudget(
                new RetryBudget.Rules(usual.initial(), rules.budgetRatio(), usual.perSecond(), usual.cap()),
                world.ticker()::nanos);
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
    Duration pause(int made, LaneCall call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Failed(Fault fault))) {
            // The server has answered, good or bad.
            return null;
        }
        if (made >= attempts() || !mayHelp(fault) || !mayRepeat(call, fault)) {
            return null;
        }
        Duration pause = isAtOnce(fault) ? Duration.ZERO : wait(made);
        Duration wanted = fault.evidence().retryAfter();
        if (wanted != null && wanted.compareTo(pause) > 0) {
            // Sooner, it would only be refused, and nobody would know what had failed.
            pause = wanted;
        }
        if (pause.toNanos() >= call.patience().left()) {
            // All attempts share one deadline.
            return null;
        }
        return budget.tryRetry() ? pause : null;
    }

    /// What is there afresh needs no rest: a process that replaces a dead one, and a session that replaces a lost one.
    private boolean isAtOnce(Fault fault) {
        boolean isDeath = rules.freshProcess() && fault.category() == Category.STDIO_EXIT;
        return isDeath || fault.code() == FaultCode.SESSION_LOST;
    }

    /// A fresh process is one further attempt; if that fails, too, waiting does not help.
    private int attempts() {
        return rules.freshProcess() ? Math.min(rules.attempts(), 2) : rules.attempts();
    }

    private Duration wait(int made) {
        return rules.backoff().before(made, world.random());
    }

    private boolean mayHelp(Fault fault) {
        return switch (fault.category()) {
            // A process that has just failed to start was as fresh as any.
            case OFFLINE, HTTP, STDIO_EXIT -> !(rules.freshProcess() && isOfConnecting(fault));
            // A shortage of ours may pass; refusals, the server's wishes and the end of the time do not.
            case LOCAL -> fault.code() == FaultCode.CONNECT_FAILED && fault.reached() == Reached.NOT_SENT;
            case OTHER -> fault.code() == FaultCode.SESSION_LOST;
            case AUTH, PROTOCOL, CANCELLED, POLICY -> false;
        };
    }

    private static boolean isOfConnecting(Fault fault) {
        return switch (fault.evidence().extent()) {
            case CONNECTING -> true;
            case CALL, CONNECTION -> false;
        };
    }

    private boolean mayRepeat(LaneCall call, Fault fault) {
        boolean isUnsent = fault.reached() == Reached.NOT_SENT;
        return switch (call.kind().replay()) {
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
