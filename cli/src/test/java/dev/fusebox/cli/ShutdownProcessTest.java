package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How a gateway ends that is a process of its own: what it still does, what it does no more, and what is left.
///
/// Over five seconds: twenty servers hear no signal, and what would happen some seconds later must not.
@Tag("process")
@Timeout(120)
class ShutdownProcessTest {
    private static final Platform PLATFORM = Platform.system();

    /// Ten times of what is promised for a machine that does nothing else.
    private static final long GONE_SECONDS = 25;

    @TempDir
    private Path folder;

    @BeforeEach
    void begin() {
        assumeTrue(PLATFORM.processes().keepsSessions(), "skipped: this machine shows no sessions of processes");
    }

    private static void eventuallyExists(Path sign) {
        eventually("the call has begun", () -> assertThat(sign).exists());
    }

    private static void awaitEnd(RunningGateway gateway, int code) throws InterruptedException {
        assertThat(gateway.process().waitFor(GONE_SECONDS, TimeUnit.SECONDS))
                .as(gateway.errorText())
                .isTrue();
        assertThat(gateway.process().exitValue()).isEqualTo(code);
        assertThat(gateway.children()).isEmpty();
    }

    /// A gateway that gives what is under way more time than the test takes.
    private RunningGateway patient(String... servers) throws Exception {
        RunningGateway gateway = RunningGateway.before(folder, servers);
        gateway.with(",\"http\":{\"port\":0},\"pool\":{\"drainMs\":60000}").save();
        gateway.eventuallySays("pool.drainMs");
        return gateway;
    }

    /// The signal has been heard when nobody is let in any more. Who asks before that is let in, and must not have
    /// to wait for what is under way.
    private static void awaitClosedDoors(RunningGateway gateway, String idle) {
        eventually(
                "a call ends with overloaded",
                () -> assertThat(failed(gateway.calling(idle, "who"))).isEqualTo("overloaded"));
    }

    private static String failed(FutureTask<String> call) {
        try {
            return call.get(60, TimeUnit.SECONDS);
        } catch (Exception cutOff) {
            return "cut off";
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM,0", "INT,130"})
    void twenty_servers_that_ignore_sigterm_end_with_gateway(String signal, int code) throws Exception {
        String[] names = IntStream.range(0, 20).mapToObj(i -> "s" + i).toArray(String[]::new);
        try (RunningGateway gateway = RunningGateway.before(folder, "first")) {
            for (String name : names) {
                gateway.server(name, "1", "DEAF=1");
            }
            gateway.without("first").save();
            gateway.eventuallySays("removed first");
            for (String name : names) {
                assertThat(gateway.call(name, "who")).startsWith("1 ");
            }
            // What was started to find out an era may take its time to end, as deaf as it is.
            eventually(
                    "20 server processes are running",
                    () -> assertThat(gateway.children()).hasSize(20));
            long begun = PLATFORM.ticker().nanos();
            gateway.signal(signal);
            awaitEnd(gateway, code);
            System.out.printf(
                    "figures: a gateway with 20 servers that ignore SIGTERM was gone %d ms after SIG%s%n",
                    Duration.ofNanos(PLATFORM.ticker().nanos() - begun).toMillis(), signal);
        }
    }

    @Test
    void calls_in_flight_finish_and_new_ones_are_rejected() throws Exception {
        try (RunningGateway gateway = patient("a", "idle")) {
            String a = gateway.call("a", "who");
            gateway.call("idle", "who");
            FutureTask<String> held = gateway.calling("a", "held");
            eventuallyExists(gateway.sign("a", "held"));
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "idle");
            Files.writeString(gateway.sign("a", "go"), "0");
            assertThat(held.get(60, TimeUnit.SECONDS)).isEqualTo(a);
            awaitEnd(gateway, 0);
        }
    }

    @Test
    void caller_of_unresponsive_server_gets_answer_before_exit() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "first")) {
            gateway.server("deaf", "1", "DEAF=1")
                    .with(",\"http\":{\"port\":0},\"pool\":{\"drainMs\":500}")
                    .save();
            gateway.eventuallySays("pool.drainMs");
            FutureTask<String> held = gateway.calling("deaf", "held");
            eventuallyExists(gateway.sign("deaf", "held"));
            gateway.signal("TERM");
            assertThat(failed(held)).isEqualTo("cancelled");
            awaitEnd(gateway, 0);
        }
    }

    @Test
    void calls_of_commands_finish_during_shutdown() throws Exception {
        try (RunningGateway gateway = patient("a", "idle")) {
            String a = gateway.call("a", "who");
            gateway.call("idle", "who");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream to = new PrintStream(out, true, UTF_8);
            String pid = "" + gateway.process().pid();
            FutureTask<ExitStatus> held = new FutureTask<>(() -> new CallCommand(PLATFORM)
                    .run(List.of("a", "held", "--gateway", pid), new CommandOutput(to, System.err, false)));
            Thread.ofVirtual().start(held);
            eventuallyExists(gateway.sign("a", "held"));
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "idle");
            Files.writeString(gateway.sign("a", "go"), "0");
            assertThat(held.get(60, TimeUnit.SECONDS)).isEqualTo(ExitStatus.DONE);
            assertThat(out.toString(UTF_8)).isEqualTo(a + "\n");
            awaitEnd(gateway, 0);
        }
    }

    @Test
    void calls_longer_than_drain_are_cancelled() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"pool\":{\"drainMs\":200}").save();
            gateway.eventuallySays("pool.drainMs");
            gateway.call("a", "who");
            FutureTask<String> hangs = gateway.calling("a", "die");
            eventuallyExists(gateway.sign("a", "dying"));
            gateway.signal("TERM");
            awaitEnd(gateway, 0);
            assertThat(failed(hangs)).isNotEqualTo("1");
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130"})
    void second_signal_kills_process_trees_at_once(String second, int code) throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            gateway.server("b", "1", "DEAF=1").save();
            gateway.signal("HUP");
            gateway.eventuallySays("changed b");
            gateway.call("b", "who");
            FutureTask<String> hangs = gateway.calling("a", "die");
            eventuallyExists(gateway.sign("a", "dying"));
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "b");
            long begun = PLATFORM.ticker().nanos();
            gateway.signal(second);
            assertThat(gateway.process().waitFor(GONE_SECONDS, TimeUnit.SECONDS))
                    .as(gateway.errorText())
                    .isTrue();
            assertThat(gateway.process().exitValue()).isEqualTo(code);
            // It waits 800 ms for them; then the reaper process ends what is left.
            eventually(
                    "every tree has ended", () -> assertThat(gateway.children()).isEmpty());
            System.out.printf(
                    "figures: a second signal had ended all after %d ms%n",
                    Duration.ofNanos(PLATFORM.ticker().nanos() - begun).toMillis());
            assertThat(failed(hangs)).isIn("cut off", "cancelled");
        }
    }

    @Test
    void crashed_server_is_not_restarted_during_shutdown() throws Exception {
        try (RunningGateway gateway = patient("a", "b", "idle")) {
            gateway.call("a", "who");
            gateway.call("b", "who");
            gateway.call("idle", "who");
            FutureTask<String> dying = gateway.calling("a", "die");
            eventuallyExists(gateway.sign("a", "dying"));
            FutureTask<String> held = gateway.calling("b", "held");
            eventuallyExists(gateway.sign("b", "held"));
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "idle");
            Files.createFile(gateway.sign("a", "die"));
            assertThat(dying.get(60, TimeUnit.SECONDS)).isIn("server_crashed", "connect_failed");
            // The gateway lives on for as long as it would take to start another: a restart comes after one
            // second.
            Files.writeString(gateway.sign("b", "go"), "2");
            held.get(60, TimeUnit.SECONDS);
            awaitEnd(gateway, 0);
            assertThat(gateway.starts("a")).isEqualTo(List.of("1"));
        }
    }

    /// F99
    @Test
    void scheduled_restart_is_cancelled_by_shutdown() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b", "idle")) {
            gateway.with(",\"http\":{\"port\":0},\"pool\":{\"drainMs\":60000},"
                            + "\"recovery\":{\"restartDelaysMs\":[4000]}")
                    .save();
            gateway.eventuallySays("pool.drainMs");
            for (String server : List.of("a", "b", "idle")) {
                gateway.call(server, "who");
            }
            FutureTask<String> held = gateway.calling("b", "held");
            eventuallyExists(gateway.sign("b", "held"));
            Files.createFile(gateway.sign("a", "die"));
            assertThat(gateway.calling("a", "die").get(60, TimeUnit.SECONDS)).isIn("server_crashed", "connect_failed");
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "idle");
            int starts = gateway.starts("a").size();
            Files.writeString(gateway.sign("b", "go"), "5");
            held.get(60, TimeUnit.SECONDS);
            awaitEnd(gateway, 0);
            assertThat(gateway.starts("a")).hasSize(starts);
        }
    }

    @Test
    void connecting_server_is_stopped_by_shutdown() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"pool\":{\"drainMs\":300}");
            gateway.server("mute", "1", "MUTE=1", "DEAF=1").save();
            gateway.eventuallySays("added mute");
            FutureTask<String> waits = gateway.calling("mute", "who");
            eventuallyExists(gateway.sign("mute", "starts"));
            gateway.signal("TERM");
            awaitEnd(gateway, 0);
            assertThat(failed(waits)).isNotEqualTo("1");
            assertThat(gateway.starts("mute")).hasSize(1);
        }
    }

    @Test
    void configuration_change_during_shutdown_starts_nothing() throws Exception {
        try (RunningGateway gateway = patient("a", "idle")) {
            String a = gateway.call("a", "who");
            gateway.call("idle", "who");
            assertThat(gateway.tools()).contains("a__who");
            FutureTask<String> held = gateway.calling("a", "held");
            eventuallyExists(gateway.sign("a", "held"));
            gateway.signal("TERM");
            awaitClosedDoors(gateway, "idle");
            gateway.server("late", "1").server("a", "2").save();
            gateway.signal("HUP");
            // Two seconds, in which a gateway that is not about to end would have started both.
            Files.writeString(gateway.sign("a", "go"), "2");
            assertThat(held.get(60, TimeUnit.SECONDS)).isEqualTo(a);
            awaitEnd(gateway, 0);
            assertThat(gateway.starts("late")).isEmpty();
            assertThat(gateway.starts("a")).isEqualTo(List.of("1"));
            assertThat(gateway.errorText()).doesNotContain("added late");
        }
    }
}
