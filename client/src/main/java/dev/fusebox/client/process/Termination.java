package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Signal;
import dev.fusebox.platform.SpawnedProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends a tree, politely first. Thread-safe; the ladder itself runs once, on a thread of its own.
///
/// ```
///      0 ms  the child's input is closed
///     50 ms  SIGTERM to the child
///    150 ms  SIGTERM to its group
///    350 ms  SIGTERM to every survivor
///    750 ms  SIGTERM to every survivor
///  1,550 ms  SIGKILL to every survivor, until there is none
/// ```
/// It ends as soon as nobody is left.
final class Termination {
    private static final Duration ASK_CHILD = Duration.ofMillis(50);
    private static final Duration ASK_GROUP = Duration.ofMillis(150);
    private static final Duration ASK_ALL = Duration.ofMillis(350);
    private static final Duration ASK_AGAIN = Duration.ofMillis(750);
    private static final Duration KILL = Duration.ofMillis(1_550);

    /// Whoever has not gone so long after SIGKILL waits for the kernel, and nothing that we do helps.
    private static final Duration GIVE_UP = Duration.ofMillis(6_550);

    /// Without a descriptor nobody sees who is left. So long it is waited for one, before the janitor is left to
    /// do it.
    private static final Duration BLIND = Duration.ofMinutes(10);

    /// How often we look whether those who were asked have gone.
    private static final Duration LOOK = Duration.ofMillis(40);

    /// How often SIGKILL is sent: a process that forks all the time has a child between look and signal.
    private static final Duration KILL_AGAIN = Duration.ofMillis(10);

    private final Platform platform;
    private final SpawnedProcess leader;
    private final ProcessTree processTree;
    private final Runnable whenGone;
    private final CompletionSignal leaderEnded;
    private final CompletionSignal urgent;
    private final CompletionSignal gone;
    private final List<Rung> rungs;
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private volatile long start;

    /// @param whenGone called once, when nobody is left or we have given up
    Termination(Platform platform, SpawnedProcess leader, ProcessTree processTree, Runnable whenGone) {
        this.platform = platform;
        this.leader = leader;
        this.processTree = processTree;
        this.whenGone = whenGone;
        this.leaderEnded = new CompletionSignal(platform);
        this.urgent = new CompletionSignal(platform);
        this.gone = new CompletionSignal(platform);
        this.rungs = List.of(
                new Rung(ASK_CHILD, () -> leader.signal(Signal.TERM)),
                new Rung(ASK_GROUP, () -> leader.signalGroup(Signal.TERM)),
                new Rung(ASK_ALL, () -> processTree.signal(Signal.TERM)),
                new Rung(ASK_AGAIN, () -> processTree.signal(Signal.TERM)));
    }

    /// What is done at a time if somebody is left.
    private record Rung(Duration at, Runnable step) {}

    CompletionSignal leaderEnded() {
        return leaderEnded;
    }

    /// Begins; does nothing the second time.
    void start() {
        if (isStarted.compareAndSet(false, true)) {
            start = platform.ticker().nanos();
            leader.closeIn();
            Thread.ofVirtual().name("fusebox-termination-" + leader.pid()).start(this::run);
        }
    }

    /// Goes straight to the last step.
    void hurry() {
        urgent.reach();
        start();
    }

    /// True if nobody of the tree is left.
    boolean awaitGone(Duration limit) throws InterruptedException {
        return gone.await(limit);
    }

    private void run() {
        try {
            if (!climb()) {
                killAll();
            }
        } finally {
            leader.bury();
            whenGone.run();
            gone.reach();
        }
    }

    /// True if nobody is left; false if the rest is to be killed.
    private boolean climb() {
        for (Rung rung : rungs) {
            if (isEmptyBy(rung.at)) {
                return true;
            }
            if (urgent.isReached()) {
                return false;
            }
            rung.step.run();
        }
        return isEmptyBy(KILL);
    }

    /// Looks for survivors only when the child itself has ended: as long as it lives, it is one.
    private boolean isEmptyBy(Duration rung) {
        while (!urgent.isReached() && left(rung).isPositive()) {
            if (leaderEnded.awaitUninterrupted(shorter(left(rung), LOOK))) {
                List<ProcessEntry> survivors = processTree.survivors();
                if (survivors != null && survivors.isEmpty()) {
                    return true;
                }
                urgent.awaitUninterrupted(shorter(left(rung), LOOK));
            }
        }
        return false;
    }

    private void killAll() {
        long begun = platform.ticker().nanos();
        List<ProcessEntry> survivors = processTree.survivors();
        while (survivors == null
                ? isBefore(begun, BLIND)
                : isLeft(survivors) && left(GIVE_UP).isPositive()) {
            leader.signalGroup(Signal.KILL);
            if (survivors == null) {
                // While nobody can look, the ladder's time stands still.
                start = platform.ticker().nanos() - KILL.toNanos();
                gone.awaitUninterrupted(LOOK);
            } else {
                processTree.signal(survivors, Signal.KILL);
                gone.awaitUninterrupted(KILL_AGAIN);
            }
            survivors = processTree.survivors();
        }
    }

    private boolean isLeft(List<ProcessEntry> survivors) {
        return !survivors.isEmpty() || leader.ended() == null;
    }

    private boolean isBefore(long begun, Duration limit) {
        return platform.ticker().nanos() - begun < limit.toNanos();
    }

    private Duration left(Duration rung) {
        return rung.minusNanos(platform.ticker().nanos() - start);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
