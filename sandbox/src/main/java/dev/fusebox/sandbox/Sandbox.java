package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.StartResult;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The executor of scripts, each in a worker process that runs no other script meanwhile. Starts nothing before
/// the first script; keeps one worker for a while after the last. Thread-safe; only [#run] blocks, until its
/// deadline.
public final class Sandbox implements AutoCloseable {
    /// A worker that is not ready this long after the end of a script is still busy. It takes a few hundredths of
    /// a second, but workers have the lowest priority; one that never becomes ready does no harm.
    private static final Duration CLEARED_WITHIN = Duration.ofSeconds(10);

    /// With this many scripts ahead, a script would wait for minutes: it is rejected immediately.
    private static final int MAX_WAITING = 100;

    /// A fifth of that, so that one client cannot keep all others out.
    private static final int MAX_WAITING_OF_ONE = 20;

    private final Platform platform;
    private final ChildProcesses children;
    private final WorkerProgram program;
    private final SandboxLimits rules;
    private final FairBulkhead bulkhead;
    private final Set<WorkerProcess> workers = ConcurrentHashMap.newKeySet();

    /// The number of scripts of each client, running or waiting.
    private final Map<Object, Integer> ofClients = new ConcurrentHashMap<>();

    private @Nullable WorkerProcess idle;
    private @Nullable Timer idleTimer;
    private boolean isClosed;

    /// @param children the owner of the worker processes
    public Sandbox(Platform platform, ChildProcesses children, WorkerProgram program, SandboxLimits rules) {
        this.platform = platform;
        this.children = children;
        this.program = program;
        this.rules = rules;
        this.bulkhead =
                new FairBulkhead(new FairBulkhead.Limits(rules.runsAtOnce(), MAX_WAITING, Long.MAX_VALUE), platform);
    }

    /// Runs a script to its end, or until the deadline; nothing of it continues afterwards.
    public ScriptReport run(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        int most = MAX_WAITING_OF_ONE + rules.runsAtOnce();
        boolean isOneTooMany = ofClients.merge(host.client(), 1, Integer::sum) > most;
        try {
            return isOneTooMany
                    ? ScriptReport.of(
                            over(deadline, most + " scripts of this client are running or waiting; retry later"))
                    : admitted(code, host, deadline);
        } finally {
            ofClients.computeIfPresent(host.client(), (client, count) -> count > 1 ? count - 1 : null);
        }
    }

    /// Clients take turns, and each client's scripts keep their order.
    private ScriptReport admitted(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        return switch (bulkhead.enter(host.client(), 0, deadline)) {
            case FairBulkhead.Full full ->
                ScriptReport.of(over(deadline, "too many scripts are running and waiting; retry later"));
            case FairBulkhead.Slot slot -> {
                try (slot) {
                    yield inside(code, host, deadline);
                }
            }
        };
    }

    /// The number of scripts that wait for their turn.
    int waiting() {
        return bulkhead.waiting();
    }

    private ScriptReport inside(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        return switch (lease(deadline)) {
            case Lease.Leased(WorkerProcess worker) -> run(code, host, deadline, worker);
            case Lease.Refused(String why) -> ScriptReport.of(over(deadline, why));
        };
    }

    private ScriptReport run(String code, ScriptHost host, Deadline deadline, WorkerProcess worker)
            throws InterruptedException {
        ScriptSession talk = new ScriptSession(rules, host, () -> callDeadline(deadline));
        Ended ended = new Ended.Stopped(Reason.CANCELLED, "the script was cancelled");
        try {
            worker.begin(code, host.servers(), talk);
            Ended own = deadline.await(talk.ended(), platform);
            ended = own == null ? over(deadline, "") : withMessage(own);
        } finally {
            worker.forget();
            talk.giveUp();
            if (ended instanceof Ended.Stopped) {
                worker.dismiss();
            } else {
                keep(worker);
            }
        }
        return talk.report(ended);
    }

    private Ended withMessage(Ended own) {
        return own instanceof Ended.Stopped(Reason reason, String seen) ? stopped(reason, seen) : own;
    }

    private Ended.Stopped stopped(Reason reason, String seen) {
        String message = switch (reason) {
            case OUTPUT ->
                "the script was stopped: its result and its log are more than " + rules.maxOutputBytes()
                        + " bytes together (execute.maxOutputBytes)";
            case MEMORY ->
                "the script was stopped: it used more than " + rules.memoryMb() + " MB of memory (execute.memoryMb)";
            case TIME, CANCELLED, BUSY, CRASHED -> seen;
        };
        return new Ended.Stopped(reason, message);
    }

    /// @param otherwise the reason if the deadline is not over
    private static Ended.Stopped over(Deadline deadline, String otherwise) {
        if (deadline.isGivenUp()) {
            return new Ended.Stopped(Reason.CANCELLED, "the script was cancelled");
        }
        return deadline.left() > 0
                ? new Ended.Stopped(Reason.BUSY, otherwise)
                : new Ended.Stopped(Reason.TIME, "the script was stopped: it timed out");
    }

    /// The remaining time of the script, as the deadline of a call.
    private Deadline callDeadline(Deadline deadline) {
        return new Deadline(Duration.ofNanos(Math.max(1, deadline.left())), Duration.ZERO, platform.ticker());
    }

    // ---- Workers

    private sealed interface Lease {
        record Leased(WorkerProcess worker) implements Lease {}

        record Refused(String why) implements Lease {}
    }

    private Lease lease(Deadline deadline) throws InterruptedException {
        WorkerProcess kept = takeIdle();
        if (kept != null && awaited(kept, deadline) instanceof Lease.Leased leased) {
            return leased;
        }
        WorkerProcess worker = new WorkerProcess(this);
        return switch (children.startResult(program.spec(rules), worker)) {
            case StartResult.NotStarted not -> new Lease.Refused("failed to start a script worker: " + not.message());
            case StartResult.Started started -> {
                worker.attach(started.child());
                note(worker);
                yield awaited(worker, deadline);
            }
        };
    }

    /// The worker may have ended before it was registered.
    private void note(WorkerProcess worker) {
        workers.add(worker);
        if (worker.hasEnded()) {
            gone(worker);
        }
    }

    private Lease awaited(WorkerProcess worker, Deadline deadline) throws InterruptedException {
        String why = "the worker was not ready in time";
        boolean isReady = false;
        try {
            String problem = deadline.await(worker.readiness(), platform);
            isReady = problem != null && problem.isEmpty() && !isClosed();
            why = problem == null ? why : "the worker " + problem;
        } finally {
            if (!isReady) {
                worker.dismiss();
            }
        }
        return isReady ? new Lease.Leased(worker) : new Lease.Refused(why);
    }

    private synchronized @Nullable WorkerProcess takeIdle() {
        WorkerProcess worker = idle;
        idle = null;
        stopIdleTimer();
        return worker;
    }

    /// A worker cleans up after its script, and then takes the next.
    private void keep(WorkerProcess worker) {
        Promise<String> readiness = worker.readiness();
        platform.timers().schedule(CLEARED_WITHIN, () -> {
            if (readiness.now() == null) {
                worker.dismiss();
            }
        });
        synchronized (this) {
            if (idle == null && !isClosed) {
                idle = worker;
                idleTimer = platform.timers().schedule(rules.kept(), () -> dismiss(worker));
                return;
            }
        }
        worker.dismiss();
    }

    private void dismiss(WorkerProcess worker) {
        synchronized (this) {
            if (idle != worker) {
                return;
            }
            idle = null;
        }
        worker.dismiss();
    }

    /// Called when a worker has ended.
    void gone(WorkerProcess worker) {
        workers.remove(worker);
        synchronized (this) {
            if (idle == worker) {
                idle = null;
            }
        }
    }

    private void stopIdleTimer() {
        if (idleTimer != null) {
            idleTimer.cancel();
            idleTimer = null;
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /// Lets the idle worker end by itself; returns false if it does not in time.
    boolean leave(Duration limit) throws InterruptedException {
        WorkerProcess worker = takeIdle();
        return worker != null && worker.leave(limit);
    }

    /// Ends all workers, and with them their scripts.
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            stopIdleTimer();
        }
        workers.forEach(WorkerProcess::dismiss);
    }
}
