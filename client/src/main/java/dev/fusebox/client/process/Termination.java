package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Signal;
import dev.fusebox.platform.SpawnedProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Termination sequence of a process tree, with increasing force. Thread-safe; it runs once, on a thread of its
/// own. Only [#awaitGone] blocks.
///
/// ```
///      0 ms  stdin of the child is closed
///     50 ms  SIGTERM to the child
///    150 ms  SIGTERM to its process group
///    350 ms  SIGTERM to every survivor
///    750 ms  SIGTERM to every survivor
///  1,550 ms  SIGKILL to every survivor, until there is none
/// ```
/// It ends as soon as no process is left.
final class Termination {
    private static final Duration TERM_CHILD = Duration.ofMillis(50);
    private static final Duration TERM_GROUP = Duration.ofMillis(150);
    private static final Duration TERM_ALL = Duration.ofMillis(350);
    private static final Duration TERM_AGAIN = Duration.ofMillis(750);
    private static final Duration KILL = Duration.ofMillis(1_550);

    /// A process that still exists this long after SIGKILL waits for the kernel, and no further signal helps.
    private static final Duration GIVE_UP = Duration.ofMillis(6_550);

    /// How long the termination waits for a free file descriptor, without which the process table cannot be read,
    /// before it is left to the reaper process.
    private static final Duration BLIND_LIMIT = Duration.ofMinutes(10);

    /// Interval of the checks whether the signaled processes have exited.
    private static final Duration POLL = Duration.ofMillis(40);

    /// Interval of SIGKILL: a process that forks all the time has a new child between check and signal.
    private static final Duration KILL_AGAIN = Duration.ofMillis(10);

    private final Platform platform;
    private final SpawnedProcess leader;
    private final ProcessTree processTree;
    private final Runnable whenGone;
    private final CompletionSignal leaderEnded;
    private final CompletionSignal urgent;
    private final CompletionSignal gone;
    private final List<Step> steps;
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private volatile long start;

    /// @param whenGone called once, when no process is left or the termination has given up
    Termination(Platform platform, SpawnedProcess leader, ProcessTree processTree, Runnable whenGone) {
        this.platform = platform;
        this.leader = leader;
        this.processTree = processTree;
        this.whenGone = whenGone;
        this.leaderEnded = new CompletionSignal(platform);
        this.urgent = new CompletionSignal(platform);
        this.gone = new CompletionSignal(platform);
        this.steps = List.of(
                new Step(TERM_CHILD, () -> leader.signal(Signal.TERM)),
                new Step(TERM_GROUP, () -> leader.signalGroup(Signal.TERM)),
                new Step(TERM_ALL, () -> processTree.signal(Signal.TERM)),
                new Step(TERM_AGAIN, () -> processTree.signal(Signal.TERM)));
    }

    /// A signal to send at a time if a process is left.
    private record Step(Duration at, Runnable action) {}

    CompletionSignal leaderEnded() {
        return leaderEnded;
    }

    /// Begins the sequence. Idempotent.
    void start() {
        if (isStarted.compareAndSet(false, true)) {
            start = platform.ticker().nanos();
            leader.closeIn();
            Thread.ofVirtual().name("fusebox-termination-" + leader.pid()).start(this::run);
        }
    }

    /// Skips to SIGKILL.
    void killNow() {
        urgent.reach();
        start();
    }

    /// True if no process of the tree is left.
    boolean awaitGone(Duration limit) throws InterruptedException {
        return gone.await(limit);
    }

    private void run() {
        try {
            if (!escalate()) {
                killAll();
            }
        } finally {
            leader.reap();
            whenGone.run();
            gone.reach();
        }
    }

    /// True if no process is left; false if the rest must be killed.
    private boolean escalate() {
        for (Step step : steps) {
            if (isEmptyBy(step.at)) {
                return true;
            }
            if (urgent.isReached()) {
                return false;
            }
            step.action.run();
        }
        return isEmptyBy(KILL);
    }

    /// Reads the process table only after the child itself has exited, since until then it is a survivor.
    private boolean isEmptyBy(Duration time) {
        while (!urgent.isReached() && left(time).isPositive()) {
            if (leaderEnded.awaitUninterrupted(shorter(left(time), POLL))) {
                List<ProcessEntry> survivors = processTree.survivors();
                if (survivors != null && survivors.isEmpty()) {
                    return true;
                }
                urgent.awaitUninterrupted(shorter(left(time), POLL));
            }
        }
        return false;
    }

    private void killAll() {
        long begun = platform.ticker().nanos();
        List<ProcessEntry> survivors = processTree.survivors();
        while (survivors == null
                ? isBefore(begun, BLIND_LIMIT)
                : isLeft(survivors) && left(GIVE_UP).isPositive()) {
            leader.signalGroup(Signal.KILL);
            if (survivors == null) {
                // While the process table cannot be read, the clock of the sequence is paused.
                start = platform.ticker().nanos() - KILL.toNanos();
                gone.awaitUninterrupted(POLL);
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

    private Duration left(Duration time) {
        return time.minusNanos(platform.ticker().nanos() - start);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
