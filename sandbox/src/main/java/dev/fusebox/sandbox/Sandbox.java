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

/// Runs scripts, each in a worker process that runs no other meanwhile. Starts nothing before the first script;
/// keeps one worker for a while after the last. Thread-safe; only [#run] blocks, for as long as it is given.
public final class Sandbox implements AutoCloseable {
    /// A worker that is not ready so long after a script came to its end is still at it. It takes a few hundredths
    /// of a second, but a worker is behind everybody else; one that never comes to an end harms nobody.
    private static final Duration CLEARED_WITHIN = Duration.ofSeconds(10);

    /// Whoever is behind so many waits for minutes: better to say so at once.
    private static final int MOST_WAITING = 100;

    /// A fifth of that, so that no client keeps all others out.
    private static final int MOST_WAITING_OF_ONE = 20;

    private final Platform platform;
    private final ChildProcesses children;
    private final WorkerProgram program;
    private final SandboxLimits rules;
    private final FairBulkhead bulkhead;
    private final Set<WorkerProcess> hired = ConcurrentHashMap.newKeySet();

    /// How many scripts each client has here, running or waiting.
    private final Map<Object, Integer> ofClients = new ConcurrentHashMap<>();

    private @Nullable WorkerProcess idle;
    private @Nullable Timer dismissal;
    private boolean isClosed;

    /// @param children among whom the workers are
    public Sandbox(Platform platform, ChildProcesses children, WorkerProgram program, SandboxLimits rules) {
        this.platform = platform;
        this.children = children;
        this.program = program;
        this.rules = rules;
        this.bulkhead =
                new FairBulkhead(new FairBulkhead.Limits(rules.runsAtOnce(), MOST_WAITING, Long.MAX_VALUE), platform);
    }

    /// Runs a script to its end, or until the patience is over: nothing of it goes on afterwards.
    public ScriptReport run(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        int most = MOST_WAITING_OF_ONE + rules.runsAtOnce();
        boolean isOneTooMany = ofClients.merge(host.client(), 1, Integer::sum) > most;
        try {
            return isOneTooMany
                    ? ScriptReport.of(
                            over(deadline, most + " scripts of this client are running or waiting; run it later"))
                    : admitted(code, host, deadline);
        } finally {
            ofClients.computeIfPresent(host.client(), (client, count) -> count > 1 ? count - 1 : null);
        }
    }

    /// Clients take turns, and each client's scripts keep their order.
    private ScriptReport admitted(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        return switch (bulkhead.enter(host.client(), 0, deadline)) {
            case FairBulkhead.Full full ->
                ScriptReport.of(over(deadline, "as many scripts as may run at once are running, and more are waiting"));
            case FairBulkhead.Place place -> {
                try (place) {
                    yield inside(code, host, deadline);
                }
            }
        };
    }

    /// Scripts that wait for their turn.
    int waiting() {
        return bulkhead.waiting();
    }

    private ScriptReport inside(String code, ScriptHost host, Deadline deadline) throws InterruptedException {
        return switch (hire(deadline)) {
            case Hiring.Hired(WorkerProcess worker) -> run(code, host, deadline, worker);
            case Hiring.Refused(String why) -> ScriptReport.of(over(deadline, why));
        };
    }

    private ScriptReport run(String code, ScriptHost host, Deadline deadline, WorkerProcess worker)
            throws InterruptedException {
        ScriptSession talk = new ScriptSession(rules, host, () -> rest(deadline));
        Ended ended = new Ended.Stopped(Reason.CANCELLED, "the script was cancelled");
        try {
            worker.begin(code, host.servers(), talk);
            Ended own = deadline.await(talk.ended(), platform);
            ended = own == null ? over(deadline, "") : worded(own);
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

    private Ended worded(Ended own) {
        return own instanceof Ended.Stopped(Reason reason, String seen) ? stopped(reason, seen) : own;
    }

    private Ended.Stopped stopped(Reason reason, String seen) {
        String message = switch (reason) {
            case OUTPUT ->
                "the script was ended: its result and what it logged are more than " + rules.maxOutputBytes()
                        + " bytes together (execute.maxOutputBytes)";
            case MEMORY ->
                "the script was ended: it wanted more than " + rules.memoryMb() + " MB of memory (execute.memoryMb)";
            case TIME, CANCELLED, BUSY, CRASHED -> seen;
        };
        return new Ended.Stopped(reason, message);
    }

    /// @param otherwise the reason if it is not the time
    private static Ended.Stopped over(Deadline deadline, String otherwise) {
        if (deadline.isGivenUp()) {
            return new Ended.Stopped(Reason.CANCELLED, "the script was cancelled");
        }
        return deadline.left() > 0
                ? new Ended.Stopped(Reason.BUSY, otherwise)
                : new Ended.Stopped(Reason.TIME, "the script was ended: its time was over");
    }

    /// For a call, what the script has left.
    private Deadline rest(Deadline deadline) {
        return new Deadline(Duration.ofNanos(Math.max(1, deadline.left())), Duration.ZERO, platform.ticker());
    }

    // ---- Workers

    private sealed interface Hiring {
        record Hired(WorkerProcess worker) implements Hiring {}

        record Refused(String why) implements Hiring {}
    }

    private Hiring hire(Deadline deadline) throws InterruptedException {
        WorkerProcess kept = takeIdle();
        if (kept != null && awaited(kept, deadline) instanceof Hiring.Hired hired) {
            return hired;
        }
        WorkerProcess worker = new WorkerProcess(this);
        return switch (children.startResult(program.spec(rules), worker)) {
            case StartResult.NotStarted not -> new Hiring.Refused("no worker could be started: " + not.message());
            case StartResult.Started started -> {
                worker.attach(started.child());
                note(worker);
                yield awaited(worker, deadline);
            }
        };
    }

    /// One may have ended before anybody could note that it is there.
    private void note(WorkerProcess worker) {
        hired.add(worker);
        if (worker.hasEnded()) {
            gone(worker);
        }
    }

    private Hiring awaited(WorkerProcess worker, Deadline deadline) throws InterruptedException {
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
        return isReady ? new Hiring.Hired(worker) : new Hiring.Refused(why);
    }

    private synchronized @Nullable WorkerProcess takeIdle() {
        WorkerProcess worker = idle;
        idle = null;
        stopDismissal();
        return worker;
    }

    /// A worker whose script came to its end clears up behind it, and then takes the next.
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
                dismissal = platform.timers().schedule(rules.kept(), () -> dismiss(worker));
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

    /// A worker has ended.
    void gone(WorkerProcess worker) {
        hired.remove(worker);
        synchronized (this) {
            if (idle == worker) {
                idle = null;
            }
        }
    }

    private void stopDismissal() {
        if (dismissal != null) {
            dismissal.cancel();
            dismissal = null;
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /// Lets the worker that is kept end in its own way; false if it does not in time.
    boolean leave(Duration limit) throws InterruptedException {
        WorkerProcess worker = takeIdle();
        return worker != null && worker.leave(limit);
    }

    /// Ends all workers, and with them what they run.
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            stopDismissal();
        }
        hired.forEach(WorkerProcess::dismiss);
    }
}
