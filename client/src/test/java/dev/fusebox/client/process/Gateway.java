package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Stand-in for a gateway: a program that starts children and waits for its own end. The tests run it in a JVM of
/// its own, exhaust its resources, and kill it. It prints the result of each start on a line.
final class Gateway {
    private static final Duration LIFE = Duration.ofSeconds(60);

    private Gateway() {}

    /// Starts children.
    ///
    /// @param args `keep` or `starve`, the number of children, and what each runs
    public static void main(String[] args) throws InterruptedException {
        ChildProcesses children = ChildProcesses.open(Platform.system());
        Runtime.getRuntime().addShutdownHook(new Thread(children::close));
        var command = Arrays.asList(args).subList(3, args.length);
        var spec = ChildSpec.of(args[2], command.toArray(String[]::new));
        var started = new ArrayList<ChildProcess>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            start(children, spec, started);
        }
        if (args[0].equals("starve")) {
            endAll(started);
            start(children, spec, new ArrayList<>());
        }
        say("done");
        Platform.system().pause(LIFE);
    }

    private static void start(ChildProcesses children, ChildSpec spec, List<ChildProcess> started)
            throws InterruptedException {
        switch (children.startResult(spec, new Recorder())) {
            case StartResult.Started(ChildProcess child) -> {
                started.add(child);
                say("STARTED");
            }
            case StartResult.NotStarted(StartResult.Kind kind, String _) -> say(kind.toString());
        }
    }

    private static void endAll(List<ChildProcess> started) throws InterruptedException {
        started.forEach(ChildProcess::kill);
        for (ChildProcess child : started) {
            child.awaitGone(LIFE);
        }
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
