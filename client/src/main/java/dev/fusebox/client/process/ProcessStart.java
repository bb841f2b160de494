package dev.fusebox.client.process;

import dev.fusebox.client.process.StartResult.Kind;
import dev.fusebox.client.process.StartResult.NotStarted;
import dev.fusebox.client.process.StartResult.Started;
import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One start of a child. It runs on the thread that then watches the child, so that a hanging file system does not
/// block the thread of the caller. Used once; [#begin] blocks.
///
/// ```
/// open -- launched, or failed --> answered
///   `---- time is up ----------> answered; a child that comes later is killed
/// ```
final class ProcessStart {
    private static final String TIMED_OUT = "starting the command timed out";
    private static final String NO_THREADS = "no threads or memory left for another process";

    private final ChildProcesses children;
    private final Platform platform;
    private final ChildSpec spec;
    private final SafeListener listener;
    private final long number;
    private final CompletionSignal answered;
    private final AtomicReference<@Nullable StartResult> answer = new AtomicReference<>();

    ProcessStart(ChildProcesses children, ChildSpec spec, SafeListener listener, long number) {
        this.children = children;
        this.platform = children.platform();
        this.spec = spec;
        this.listener = listener;
        this.number = number;
        this.answered = new CompletionSignal(platform);
    }

    /// The caller has a start permit; the thread releases it.
    StartResult begin(Duration limit) throws InterruptedException {
        try {
            ChildThreads.unstarted(number, "in", this::run).start();
        } catch (OutOfMemoryError e) {
            children.releaseStartPermit();
            return new NotStarted(Kind.OUR_SHORTAGE, NO_THREADS);
        }
        try {
            answered.await(limit);
        } finally {
            answer(new NotStarted(Kind.OTHER, TIMED_OUT));
        }
        StartResult decided = answer.get();
        return decided == null ? new NotStarted(Kind.OTHER, TIMED_OUT) : decided;
    }

    private void run() {
        ChildProcess child;
        try {
            child = launch();
        } catch (Throwable e) {
            answer(new NotStarted(Kind.OTHER, "internal error while starting the command: " + e));
            throw e;
        } finally {
            children.releaseStartPermit();
        }
        if (child != null) {
            child.watch(spec.limits());
        }
    }

    private @Nullable ChildProcess launch() {
        if (!children.beginStart()) {
            answer(new NotStarted(Kind.CLOSING, "the gateway is shutting down"));
            return null;
        }
        try {
            if (!children.reaperProcess().isReady()) {
                answer(new NotStarted(
                        Kind.OUR_SHORTAGE,
                        "no file descriptors, processes or memory left to start the reaper process"));
                return null;
            }
            LaunchResult launchResult = platform.processes().launch(program());
            return launchResult instanceof LaunchResult.Running running
                    ? launched(running.process())
                    : refuse((LaunchResult.Failed) launchResult);
        } finally {
            children.endStart();
        }
    }

    private Program program() {
        Map<String, String> own = spec.own() == null ? platform.environment() : spec.own();
        Map<String, String> environment = new HashMap<>(ChildEnvironment.of(spec, own));
        environment.put(OwnerTag.VARIABLE, children.ownerTag().tree(number));
        return new Program(spec.command(), spec.args(), environment, spec.cwd());
    }

    private @Nullable ChildProcess refuse(LaunchResult.Failed failed) {
        Kind kind = switch (failed.cause()) {
            case NOT_FOUND -> Kind.COMMAND_NOT_FOUND;
            case NOT_EXECUTABLE -> Kind.NOT_EXECUTABLE;
            case BAD_INTERPRETER -> Kind.BAD_INTERPRETER;
            case SHORTAGE -> Kind.OUR_SHORTAGE;
            case BAD_DIRECTORY -> Kind.BAD_DIRECTORY;
            case OTHER -> Kind.OTHER;
        };
        answer(new NotStarted(kind, failed.detail()));
        return null;
    }

    private ChildProcess launched(SpawnedProcess process) {
        ChildProcess child = child(process);
        children.add(child);
        boolean runs = child.startReading(number);
        StartResult startResult = runs ? new Started(child) : new NotStarted(Kind.OUR_SHORTAGE, NO_THREADS);
        if (!answer(startResult) || !runs) {
            child.kill();
        }
        return child;
    }

    private ChildProcess child(SpawnedProcess process) {
        var processTree = new ProcessTree(
                process, children.ownerTag().tree(number), platform.processes(), children.processTable());
        var stdoutReader = new StdoutReader(platform, process, spec, listener);
        var self = new AtomicReference<@Nullable ChildProcess>();
        var termination = new Termination(platform, process, processTree, () -> {
            ChildProcess ended = self.get();
            if (ended != null) {
                ended.gone();
                children.remove(ended);
            }
        });
        var delayedTermination = new DelayedTermination(platform, process, termination, children.startupGrace());
        listener.onFirstMessage(delayedTermination::finished);
        var exitCollector = new ExitCollector(platform, stdoutReader, listener, termination);
        var pipes = new ChildProcess.Pipes(
                process, new StdinWriter(process, spec.limits().queueBytes()));
        var child = new ChildProcess(pipes, stdoutReader, exitCollector, delayedTermination);
        self.set(child);
        return child;
    }

    /// False if the caller already has another result.
    private boolean answer(StartResult startResult) {
        boolean isFirst = answer.compareAndSet(null, startResult);
        answered.reach();
        return isFirst;
    }
}
