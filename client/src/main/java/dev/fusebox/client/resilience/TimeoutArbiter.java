package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The arbiter of timeouts: it finds out, after calls got no answer, whether the tool was slow or the server is
/// dead. One health check at a time, on its own thread, decides about every call that waits for the verdict
/// when it ends. The callers are not blocked: they have got their failure long before. Later calls to a server
/// process wait for the verdict: a process that does not answer may be ended then, and they get a new one.
/// Thread-safe; only [#awaitPing] blocks, for as long as the health check lasts.
public final class TimeoutArbiter {
    private static final System.Logger LOG = LazyLoggers.of(TimeoutArbiter.class);

    private final Liveness liveness;
    private final Rules rules;
    private final Silence silence;
    private List<Case> open = new ArrayList<>();

    /// Completed when the running health checks end; null if there is none. Written under the monitor only.
    private volatile @Nullable Promise<Boolean> asking;

    private volatile boolean hasCut;
    private volatile long cutAt;

    /// Counts failed health checks. Implementations must not block.
    @FunctionalInterface
    interface Silence {
        /// Counts one; returns whether the connection has to be closed.
        ///
        /// @param isIdle whether it is known that no call is on the connection
        boolean counted(FailureCategory category, boolean isIdle);
    }

    /// The rules of the decision. Immutable.
    ///
    /// @param ping time limit of a health check
    /// @param longWait after which a caller that left may have left because the server did not answer
    /// @param freshProcess whether the server is a process that can be replaced
    record Rules(Duration ping, Duration longWait, boolean freshProcess, Platform platform) {
        Ticker ticker() {
            return platform.ticker();
        }
    }

    /// A call that got no answer.
    ///
    /// @param sentAt by the monotonic clock
    record UnansweredCall(CallPermits permits, long sentAt) {}

    /// @param left whether its caller has left; otherwise it timed out
    private record Case(UnansweredCall unansweredCall, boolean left) {}

    /// @param silence is called once for each failed health check
    TimeoutArbiter(Liveness liveness, Rules rules, Silence silence) {
        this.liveness = liveness;
        this.rules = rules;
        this.silence = silence;
    }

    /// Whether a connection was closed since then because it did not answer.
    boolean hasCutSince(long then) {
        return hasCut && cutAt - then >= 0;
    }

    /// Takes over the permits of a call that failed.
    void failed(UnansweredCall unansweredCall, CallFailure failure) {
        switch (FailureAttribution.of(failure)) {
            case NEITHER -> unansweredCall.permits().abandoned();
            case SUCCESS -> unansweredCall.permits().answered();
            case SERVER -> unansweredCall.permits().serverFailed(failure);
            case SILENCE -> raise(unansweredCall, failure.category() == FailureCategory.CANCELLED);
        }
    }

    /// Takes over the permits of the call.
    ///
    /// @param left whether its caller has left; otherwise it timed out
    void raise(UnansweredCall unansweredCall, boolean left) {
        Case raised = new Case(unansweredCall, left);
        boolean isSoon = rules.ticker().nanos() - unansweredCall.sentAt()
                < rules.longWait().toNanos();
        if (left && isSoon) {
            unansweredCall.permits().abandoned();
            return;
        }
        if (liveness.hasReceivedSince(unansweredCall.sentAt())) {
            settle(raised, HealthCheckResult.ALIVE);
            return;
        }
        synchronized (this) {
            open.add(raised);
            if (asking != null) {
                return;
            }
            asking = new Promise<>();
        }
        VirtualThreadStarter.start("fusebox-ping", this::askAll, this::judgeUnasked);
    }

    /// Without a health check nothing is known about the server.
    private void judgeUnasked() {
        do {
            judge(HealthCheckResult.UNKNOWN);
        } while (latest() != null);
    }

    /// Waits while a health check of the process is running. Returns why the call cannot be made then, and null
    /// if it can.
    @Nullable
    CallFailure awaitPing(PipelineCall call) {
        Promise<Boolean> end = asking;
        if (!rules.freshProcess() || end == null) {
            return null;
        }
        call.letOthersPass();
        Deadline deadline = call.deadline();
        try {
            return deadline.await(end, rules.platform()) == null ? leftInDoubt(deadline) : null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    private static CallFailure leftInDoubt(Deadline deadline) {
        return deadline.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notReady(ErrorId.CALL_TIMEOUT, "a ping of the server is pending");
    }

    private void askAll() {
        for (Long since = latest(); since != null; since = latest()) {
            judge(ask(since));
        }
    }

    /// If one health check throws, the next doubt must still be decided.
    private HealthCheckResult ask(long since) {
        try {
            return liveness.checkHealth(since, rules.ping());
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "ping failed with an internal error", bug);
            return HealthCheckResult.UNKNOWN;
        }
    }

    /// When the last undecided call was sent; null if there is none, and no further health check is made.
    private @Nullable Long latest() {
        Promise<Boolean> over;
        synchronized (this) {
            if (!open.isEmpty()) {
                return open.stream()
                        .map(raised -> raised.unansweredCall().sentAt())
                        .reduce(null, TimeoutArbiter::later);
            }
            over = asking;
            asking = null;
        }
        if (over != null) {
            over.complete(true);
        }
        return null;
    }

    private static Long later(@Nullable Long one, Long other) {
        return one == null || other - one > 0 ? other : one;
    }

    private void judge(HealthCheckResult healthCheckResult) {
        List<Case> judged;
        synchronized (this) {
            judged = open;
            open = new ArrayList<>();
        }
        boolean isDead = false;
        for (Case raised : judged) {
            boolean isAlive = healthCheckResult == HealthCheckResult.SILENT
                    && liveness.hasReceivedSince(raised.unansweredCall().sentAt());
            HealthCheckResult own = isAlive ? HealthCheckResult.ALIVE : healthCheckResult;
            isDead |= own == HealthCheckResult.SILENT;
            settle(raised, own);
        }
        if (isDead) {
            countSilence();
        }
    }

    /// A process that does not answer does not recover by itself: if it counts as down, or no other client
    /// waits for it, it is ended, and the next call starts a new one.
    private void countSilence() {
        try {
            if (silence.counted(FailureCategory.OFFLINE, liveness.isIdle())) {
                cutAt = rules.ticker().nanos();
                hasCut = true;
                liveness.disconnect();
            }
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "closing an unresponsive connection failed with an internal error", bug);
        }
    }

    private static void settle(Case raised, HealthCheckResult healthCheckResult) {
        CallPermits permits = raised.unansweredCall().permits();
        switch (healthCheckResult) {
            case ALIVE -> {
                if (raised.left()) {
                    permits.abandoned();
                } else {
                    permits.toolWasSilent();
                }
            }
            case SILENT -> permits.countedElsewhere(FailureCategory.OFFLINE);
            case UNKNOWN -> permits.countedElsewhere(FailureCategory.OTHER);
        }
    }
}
