package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// F93: a gateway that may not open anything, whether it has used up its own descriptors or the machine has, and
/// then may again. What is open already works on meanwhile.
///
/// Over five seconds: how much it works while it has nothing to do is looked at, and calls are tried again.
@Tag("process")
@Timeout(120)
class NoDescriptorsProcessTest {
    private static final String SHORT = "connect_failed local not_sent";

    /// How long it is watched.
    private static final Duration REST = Duration.ofSeconds(2);

    /// System calls that give a descriptor.
    private static final String OPENING = "open,openat,socket,accept,accept4,pipe,pipe2,pidfd_open,epoll_create1,dup";

    @TempDir
    private Path folder = Path.of("");

    /// Who has none left.
    enum Want {
        PROCESS("prlimit", "--nofile=100:", "true") {
            @Override
            Lack begin(Process gateway, Path folder) {
                String pid = "" + gateway.pid();
                assertThat(Tried.succeeds(List.of("prlimit", "--pid", pid, "--nofile=16:")))
                        .isTrue();
                return () -> assertThat(Tried.succeeds(List.of("prlimit", "--pid", pid, "--nofile=4096:")))
                        .isTrue();
            }
        },
        MACHINE("strace", "-o/dev/null", "true") {
            @Override
            Lack begin(Process gateway, Path folder) throws IOException {
                Path log = folder.resolve("strace");
                Process tracer = new ProcessBuilder(
                                "strace",
                                "-f",
                                "-etrace=" + OPENING,
                                "-einject=" + OPENING + ":error=ENFILE",
                                "-o" + log,
                                "-p" + gateway.pid())
                        .start();
                // It says so once it has all threads.
                eventually("the lack of descriptors is logged", () -> says(log, "ENFILE"));
                return () -> {
                    tracer.destroy();
                    tracer.onExit().join();
                };
            }
        };

        private final List<String> tried;

        Want(String... tried) {
            this.tried = List.of(tried);
        }

        abstract Lack begin(Process gateway, Path folder) throws IOException;

        private static boolean says(Path log, String what) {
            try {
                return Files.exists(log) && Files.readString(log).contains(what);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Lasts until it is closed.
    interface Lack extends AutoCloseable {
        @Override
        void close();
    }

    /// The share of one processor that it takes.
    private static double work(Process process) {
        Duration before = process.info().totalCpuDuration().orElseThrow();
        throughout("the gateway runs", REST, process::isAlive);
        Duration used = process.info().totalCpuDuration().orElseThrow().minus(before);
        return (double) used.toMillis() / REST.toMillis();
    }

    private static URI byName(FixtureServer server) {
        return URI.create("http://localhost:" + server.uri().getPort() + "/mcp");
    }

    @ParameterizedTest
    @EnumSource
    void descriptor_exhaustion_keeps_open_connections_and_blames_no_server(Want want) throws Exception {
        assumeTrue(Tried.succeeds(want.tried), () -> "skipped: " + want.tried.getFirst() + " does not work here");
        try (FixtureServer far = FixtureServer.start(ServerScript.faultless());
                RunningGateway gateway = RunningGateway.before(folder, "idle");
                KeptLine line = new KeptLine(gateway.uri())) {
            gateway.server("a", "1").server("b", "1").server("c", "1");
            gateway.remote("far", far.uri()).remote("named", byName(far));
            // Two failures that count would be seen, and one of them is a process that we end.
            gateway.with(",\"http\":{\"port\":0},\"breaker\":{\"failureThreshold\":2}")
                    .save();
            gateway.eventuallySays("added a, b, c, far, named");
            String a = line.call("a", "who");
            String c = line.call("c", "who");
            FutureTask<String> waiting;
            try (Lack _ = want.begin(gateway.process(), folder)) {
                assertThat(line.call("a", "who")).as(gateway::errorText).isEqualTo(a);
                for (String server : List.of("b", "far", "named", "b", "far", "named")) {
                    assertThat(line.call(server, "echo")).as(server).isEqualTo(SHORT);
                }
                ProcessHandle.of(Long.parseLong(c.substring(2))).orElseThrow().destroyForcibly();
                gateway.eventuallySays("c was killed by SIGKILL");
                assertThat(line.call("c", "who")).isEqualTo(SHORT);
                gateway.server("a", "2").save();
                waiting = gateway.calling("b", "who");
                assertThat(work(gateway.process())).isLessThan(0.25);
                assertThat(waiting.isDone()).isFalse();
                assertThat(line.call("a", "who")).isEqualTo(a);
            }
            assertThat(waiting.get()).startsWith("1 ");
            eventually(
                    "version 2 of server a answers",
                    () -> assertThat(line.call("a", "who")).startsWith("2 "));
            eventually(
                    "version 1 of server c answers",
                    () -> assertThat(line.call("c", "who")).startsWith("1 "));
            assertThat(line.call("far", "echo")).isEmpty();
            assertThat(line.call("named", "echo")).isEmpty();
            eventually(
                    "three server processes are running",
                    () -> assertThat(gateway.children()).hasSize(3));
            assertThat(gateway.errorText()).doesNotContain("-> open", "offline", "given up", "internal error");
        }
    }
}
