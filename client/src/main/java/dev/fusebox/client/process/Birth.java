package dev.fusebox.client.process;

import dev.fusebox.client.process.Start.Kind;
import dev.fusebox.client.process.Start.NotStarted;
import dev.fusebox.client.process.Start.Started;
import dev.fusebox.world.Launch;
import dev.fusebox.world.Program;
import dev.fusebox.world.Spawned;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One start. It runs on the thread that then watches the child, so that a file system that hangs keeps no thread of
/// the caller's.
///
/// ```
/// open -- launched, or not --> answered
///   `---- time is up --------> answered; a child that comes later is killed
/// ```
final class Birth {
    private static final String TOO_SLOW = "the system took too long to start the command";
    private static final String NO_THREADS = "no threads or memory left for a child";

    private final Children children;
    private final World world;
    private final ChildSpec spec;
    private final Told listener;
    private final long number;
    private final Milestone answered;
    private final AtomicReference<@Nullable Start> answer = new AtomicReference<>();

    Birth(Children children, ChildSpec spec, Told listener, long number) {
        this.children = children;
        this.world = children.world();
        this.spec = spec;
        this.listener = listener;
        this.number = number;
        this.answered = new Milestone(world);
    }

    /// The caller has entered the gate; the thread leaves it.
    Start begin(Duration limit) throws InterruptedException {
        try {
            ChildThreads.unstarted(number, "in", this::run).start();
        } catch (OutOfMemoryError e) {
            children.leaveGate();
            return new NotStarted(Kind.OUR_SHORTAGE, NO_THREADS);
        }
        try {
            answered.await(limit);
        } finally {
            answer(new NotStarted(Kind.OTHER, TOO_SLOW));
        }
        Start decided = answer.get();
        return decided == null ? new NotStarted(Kind.OTHER, TOO_SLOW) : decided;
    }

    private void run() {
        Child child;
        try {
            child = launch();
        } catch (Throwable e) {
            answer(new NotStarted(Kind.OTHER, "a fault of ours kept the command from being started: " + e));
            throw e;
        } finally {
            children.leaveGate();
        }
        if (child != null) {
            child.watch(spec.limits());
        }
    }

    private @Nullable Child launch() {
        if (!children.beginStart()) {
            answer(new NotStarted(Kind.CLOSING, "nothing is started any more: the gateway is closing"));
            return null;
        }
        try {
            if (!children.janitor().isReady()) {
                answer(new NotStarted(Kind.OUR_SHORTAGE, "nothing left to start the janitor with"));
                return null;
            }
            Launch launch = world.processes().launch(program());
            return launch instanceof Launch.Running running
                    ? bringUp(running.process())
                    : refuse((Launch.Failed) launch);
        } finally {
            children.endStart();
        }
    }

    private Program program() {
        Map<String, String> environment = new HashMap<>(BaseEnvironment.of(spec, world.environment()));
        environment.put(Mark.VARIABLE, children.mark().tree(number));
        return new Program(spec.command(), spec.args(), environment, spec.cwd());
    }

    private @Nullable Child refuse(Launch.Failed failed) {
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

    private Child bringUp(Spawned process) {
        Child child = child(process);
        children.add(child);
        boolean runs = child.startReading(number);
        Start start = runs ? new Started(child) : new NotStarted(Kind.OUR_SHORTAGE, NO_THREADS);
        if (!answer(start) || !runs) {
            child.kill();
        }
        return child;
    }

    private Child child(Spawned process) {
        var tree = new Tree(process, children.mark().tree(number), world.processes(), children.census());
        var reading = new Reading(world, process, spec, listener);
        var self = new AtomicReference<@Nullable Child>();
        var ladder = new Ladder(world, process, tree, () -> {
            Child ended = self.get();
            if (ended != null) {
                ended.over();
                children.remove(ended);
            }
        });
        var finishing = new Finishing(world, process, ladder, children.finishing());
        listener.whenSpoken(finishing::over);
        var ending = new Ending(world, reading, listener, ladder);
        var pipes = new Child.Pipes(process, new Feed(process, spec.limits().queueBytes()));
        var child = new Child(pipes, reading, ending, finishing);
        self.set(child);
        return child;
    }

    /// False if the caller has already been told something else.
    private boolean answer(Start start) {
        boolean isFirst = answer.compareAndSet(null, start);
        answered.reach();
        return isFirst;
    }
}
