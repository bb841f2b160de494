package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds out, after calls were left without an answer, whether the tool was slow or the server is dead: one
/// question at a time, on a thread of its own, judges every call that waits for the judgement when it ends.
/// Nothing blocks their callers, who have been answered long before. Those who come meanwhile and mean a process
/// wait for the judgement: a silent one may be ended then, and they meet a fresh one. Thread-safe; only [#hold]
/// blocks, for as long as the question lasts.
public final class TimeoutArbiter {
    private static final System.Logger LOG = LazyLoggers.of(TimeoutArbiter.class);

    private final Liveness liveness;
    private final Rules rules;
    private final Silence silence;
    private List<Case> open = new ArrayList<>();

    /// Brings the end of the asking that goes on; null if nobody asks. Written under the monitor only.
    private volatile @Nullable Promise<Boolean> asking;

    private volatile boolean hasCut;
    private volatile long cutAt;

    /// Counts a health check without an answer. Nothing here blocks.
    @FunctionalInterface
    interface Silence {
        /// Counts it, and says whether the connection has to be ended.
        ///
        /// @param isIdle whether it is known that no call is on the connection
        boolean counted(FailureCategory category, boolean isIdle);
    }

    /// How doubts are settled. Immutable.
    ///
    /// @param ping how long the server may take for a sign of life
    /// @param longWait after which a caller that left may have left because nobody answered
    /// @param freshProcess whether a silent server is a process that can be replaced
    record Rules(Duration ping, Duration longWait, boolean freshProcess, Platform platform) {
        Ticker ticker() {
            return platform.ticker();
        }
    }

    /// A call that was left without an answer.
    ///
    /// @param sentAt by the monotonic clock
    record Doubt(CallPermits permits, long sentAt) {}

    /// @param left whether its caller has left; otherwise its time was over
    private record Case(Doubt doubt, boolean left) {}

    /// @param silence is called once for each health check without an answer
    TimeoutArbiter(Liveness liveness, Rules rules, Silence silence) {
        this.liveness = liveness;
        this.rules = rules;
        this.silence = silence;
    }

    /// Whether a connection was ended since then because nobody answered on it.
    boolean hasCutSince(long then) {
        return hasCut && cutAt - then >= 0;
    }

    /// Takes over the permits of a call that failed.
    void failed(Doubt doubt, CallFailure failure) {
        switch (FailureAttribution.of(failure)) {
            case NOBODY -> doubt.permits().abandoned();
            case LIVES -> doubt.permits().answered();
            case SERVER -> doubt.permits().serverFailed(failure);
            case SILENCE -> raise(doubt, failure.category() == FailureCategory.CANCELLED);
        }
    }

    /// Takes over the permits of the call.
    ///
    /// @param left whether its caller has left; otherwise its time was over
    void raise(Doubt doubt, boolean left) {
        Case raised = new Case(doubt, left);
        boolean isSoon =
                rules.ticker().nanos() - doubt.sentAt() < rules.longWait().toNanos();
        if (left && isSoon) {
            doubt.permits().abandoned();
            return;
        }
        if (liveness.heardSince(doubt.sentAt())) {
            settle(raised, Pulse.FELT);
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

    /// What we cannot find out says nothing about the server.
    private void judgeUnasked() {
        do {
            judge(Pulse.GONE);
        } while (latest() != null);
    }

    /// Waits while it is being asked whether the process lives. Tells why the call cannot be made then, and null
    /// if it can.
    @Nullable
    CallFailure hold(PipelineCall call) {
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
                : CallFailure.notReady(ErrorCode.TIMEOUT, "the server is being asked whether it is still there");
    }

    private void askAll() {
        for (Long since = latest(); since != null; since = latest()) {
            judge(ask(since));
        }
    }

    /// Whatever goes wrong with one question, the next doubt has to be judged as well.
    private Pulse ask(long since) {
        try {
            return liveness.pulse(since, rules.ping());
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "asking for a sign of life failed inside of the gateway", bug);
            return Pulse.GONE;
        }
    }

    /// When the last of the doubtful calls was sent; null if there is none, and nobody asks any more.
    private @Nullable Long latest() {
        Promise<Boolean> over;
        synchronized (this) {
            if (!open.isEmpty()) {
                return open.stream().map(raised -> raised.doubt().sentAt()).reduce(null, TimeoutArbiter::later);
            }
            over = asking;
            asking = null;
        }
        if (over != null) {
            over.bring(true);
        }
        return null;
    }

    private static Long later(@Nullable Long one, Long other) {
        return one == null || other - one > 0 ? other : one;
    }

    private void judge(Pulse pulse) {
        List<Case> judged;
        synchronized (this) {
            judged = open;
            open = new ArrayList<>();
        }
        boolean isDead = false;
        for (Case raised : judged) {
            boolean isFelt =
                    pulse == Pulse.NONE && liveness.heardSince(raised.doubt().sentAt());
            Pulse own = isFelt ? Pulse.FELT : pulse;
            isDead |= own == Pulse.NONE;
            settle(raised, own);
        }
        if (isDead) {
            countSilence();
        }
    }

    /// A silent process does not recover by itself: if it counts as down, or no other client waits for it, it is
    /// ended, and the next call starts a new one.
    private void countSilence() {
        try {
            if (silence.counted(FailureCategory.OFFLINE, liveness.isIdle())) {
                cutAt = rules.ticker().nanos();
                hasCut = true;
                liveness.disconnect();
            }
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "ending a silent connection failed inside of the gateway", bug);
        }
    }

    private static void settle(Case raised, Pulse pulse) {
        CallPermits permits = raised.doubt().permits();
        switch (pulse) {
            case FELT -> {
                if (raised.left()) {
                    permits.abandoned();
                } else {
                    permits.toolWasSilent();
                }
            }
            case NONE -> permits.countedElsewhere(FailureCategory.OFFLINE);
            case GONE -> permits.countedElsewhere(FailureCategory.OTHER);
        }
    }
}
