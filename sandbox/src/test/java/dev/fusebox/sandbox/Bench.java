package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.fixtures.program.ProgramJars;
import dev.fusebox.fixtures.program.StartupCache;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A sandbox with real workers, and a host with simple tools. Closing it ends the workers. Thread-safe; [#run]
/// blocks.
final class Bench implements AutoCloseable, ScriptHost {
    static final Platform PLATFORM = Platform.system();

    /// For operations that must not hang, even on a slow machine.
    static final Duration LONG = Duration.ofMinutes(2);

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Sandbox sandbox;
    /// Clients in the order in which their scripts have made calls.
    final List<String> served = new CopyOnWriteArrayList<>();

    final AtomicInteger underWay = new AtomicInteger();
    final AtomicInteger maxUnderWay = new AtomicInteger();

    Bench(SandboxLimits rules) {
        this(rules, program());
    }

    Bench(SandboxLimits rules, WorkerProgram program) {
        this.sandbox = new Sandbox(PLATFORM, children, program, rules);
    }

    Bench() {
        this(SandboxLimits.defaults());
    }

    /// The worker program on the test class path, with a start-up cache, as installed.
    static WorkerProgram program() {
        return Worker.PROGRAM;
    }

    /// What the first user makes.
    private static final class Worker {
        private static final Path FOLDER = Path.of("target", "worker").toAbsolutePath();
        static final WorkerProgram PROGRAM = cached(ProgramJars.of(path(), FOLDER));

        private Worker() {}

        private static String path() {
            return Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                    .map(name -> System.getProperty(name, ""))
                    .flatMap(value -> Stream.of(value.split(File.pathSeparator)))
                    .distinct()
                    .collect(Collectors.joining(File.pathSeparator));
        }

        private static WorkerProgram cached(ProgramJars jars) {
            WorkerProgram plain = new WorkerProgram(WorkerProgram.ownJava(), jars.list(), null);
            Path cache = StartupCache.of(FOLDER.resolve("worker"), jars, unfinished -> train(plain, unfinished))
                    .orElse(null);
            return new WorkerProgram(plain.java(), plain.classPath(), cache);
        }

        private static void train(WorkerProgram program, Path cache) throws InterruptedException {
            try (ChildProcesses children = ChildProcesses.open(PLATFORM)) {
                SandboxTraining.run(PLATFORM, children, program, cache);
            }
        }
    }

    ScriptReport run(String code) throws InterruptedException {
        return run(code, LONG);
    }

    ScriptReport run(String code, Duration limit) throws InterruptedException {
        return run(code, deadline(limit));
    }

    /// Runs a script for one of several clients.
    ScriptReport runFor(String client, String code, Deadline deadline) throws InterruptedException {
        ScriptHost host = new ScriptHost() {
            @Override
            public List<String> servers() {
                return Bench.this.servers();
            }

            @Override
            public Object client() {
                return client;
            }

            @Override
            public Answer call(Request request, Deadline deadline) {
                served.add(client);
                return Bench.this.call(request, deadline);
            }
        };
        return sandbox.run(code, host, deadline);
    }

    /// Runs a script with other servers.
    ScriptReport run(String code, List<String> servers) throws InterruptedException {
        ScriptHost host = new ScriptHost() {
            @Override
            public List<String> servers() {
                return servers;
            }

            @Override
            public Answer call(Request request, Deadline deadline) {
                return Bench.this.call(request, deadline);
            }
        };
        return sandbox.run(code, host, deadline(LONG));
    }

    ScriptReport run(String code, Deadline deadline) throws InterruptedException {
        return sandbox.run(code, this, deadline);
    }

    static Deadline deadline(Duration limit) {
        return new Deadline(limit, Duration.ZERO, PLATFORM.ticker());
    }

    Sandbox sandbox() {
        return sandbox;
    }

    /// The number of worker processes that may be running.
    int workers() {
        return children.live().size();
    }

    /// The process of the only worker.
    long process() {
        return children.live().getFirst().pid();
    }

    @Override
    public List<String> servers() {
        return List.of("files", "mail-box");
    }

    @Override
    public Answer call(Request request, Deadline deadline) {
        maxUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        try {
            return switch (request.tool()) {
                case "fail" -> new Answer.Bad("files is down", JsonView.of("{\"code\":\"breaker_open\"}"));
                case "hang" -> hang(deadline);
                case "big" -> new Answer.Good(JsonView.of("\"" + "x".repeat(bytes(request)) + "\""));
                case "deep" -> new Answer.Good(JsonView.of("[".repeat(bytes(request)) + "]".repeat(bytes(request))));
                case "laid-out" -> new Answer.Good(JsonView.of("{\n  \"a\": [\r\n    1\n  ]\n}\n"));
                case "bug" -> throw new IllegalStateException("a bug");
                case "who" -> new Answer.Good(JsonView.of("\"" + request.server() + "\""));
                default -> new Answer.Good(request.args());
            };
        } finally {
            underWay.decrementAndGet();
        }
    }

    private static int bytes(Request request) {
        return Integer.parseInt(
                Objects.requireNonNull(request.args().member("bytes")).json());
    }

    private static Answer hang(Deadline deadline) {
        Thread self = Thread.currentThread();
        deadline.onChange(() -> LockSupport.unpark(self));
        try {
            PLATFORM.await(LONG, () -> deadline.left() <= 0);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return new Answer.Bad("gave up", JsonView.of("{\"code\":\"cancelled\"}"));
    }

    @Override
    public void close() {
        sandbox.close();
        children.close();
    }
}
