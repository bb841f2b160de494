package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The gateway as a process of its own, as modules, as the launcher starts it, and how it ends. Its server leaves
/// a child beside itself and one that has left its session and its parents; all carry a mark in their environment.
///
/// Over five seconds: a janitor is given its time before what it should have ended is ended in its place.
@Tag("process")
@Timeout(120)
class ServeCommandProcessTest {
    private static final Platform PLATFORM = Platform.system();
    private static final String MARK = "FUSEBOX_TEST_SERVE";

    /// Five seconds are the promise, for a machine that does nothing else.
    private static final Duration GONE = Duration.ofSeconds(25);

    private static final String SERVER = """
            trap '' TERM
            sleep 1000 &
            setsid sh -c 'sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &
            while IFS= read -r line; do
              case $line in *'"id":'*)
                rest=${line#*'"id":'}
                printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",' "${rest%%[,\\}]*}"
                printf '"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}\\n' ;;
              esac
            done
            sleep 1000
            """;

    /// The server, what it started, and what that started.
    private static final int PROCESSES = 4;

    @TempDir
    private Path folder;

    private Process gateway;
    private BufferedReader answers;
    private OutputStream requests;
    private String mark;

    @BeforeEach
    void begin() throws IOException {
        assumeTrue(PLATFORM.processes().keepsSessions(), "skipped: this machine shows no sessions of processes");
        mark = folder.toString();
        Path server = Files.writeString(folder.resolve("server.sh"), SERVER);
        Path config = Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"s\":{\"command\":\"/bin/sh\",\"args\":[\"" + server + "\"],\"env\":{\"" + MARK
                        + "\":\"" + mark + "\"}}}}");
        gateway = new ProcessBuilder(
                        Launched.command("serve", "--config", config.toString(), "--expose", "proxy", "--no-prefix"))
                .redirectError(folder.resolve("err").toFile())
                .start();
        answers = gateway.inputReader(UTF_8);
        requests = gateway.getOutputStream();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (gateway != null) {
            gateway.destroyForcibly().waitFor();
        }
        marked().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private List<Long> marked() {
        return PLATFORM.processes().list().stream()
                .filter(it -> !it.zombie() && mark.equals(PLATFORM.processes().variable(it, MARK)))
                .map(ProcessEntry::pid)
                .toList();
    }

    private void say(String frame) throws IOException {
        requests.write((frame + "\n").getBytes(UTF_8));
        requests.flush();
    }

    private void greet() throws IOException, InterruptedException {
        say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
        assertThat(answers.readLine()).contains("\"id\":1").contains("protocolVersion");
        eventually(
                "all marked processes are running",
                GONE,
                () -> assertThat(marked()).hasSize(PROCESSES));
    }

    @Test
    void no_process_outlives_killed_gateway() throws Exception {
        greet();
        long begin = PLATFORM.ticker().nanos();

        gateway.destroyForcibly();

        eventually(
                "all marked processes have ended",
                GONE,
                () -> assertThat(marked()).isEmpty());
        System.out.printf(
                "figures: a killed gateway's processes were gone after %d ms%n",
                Duration.ofNanos(PLATFORM.ticker().nanos() - begin).toMillis());
    }

    /// F100: what no janitor has ended, whose own gateway and its janitor were killed at once. It
    /// may be a gateway of another test that is the next.
    @Test
    void orphans_of_ended_gateway_are_stopped_by_next_one() throws Exception {
        ProcessEntry self = PLATFORM.processes().self();
        Process orphan = marked("4194999.17.00000000deadbeef.1");
        Process other = marked(self.pid() + "." + self.start() + ".00000000deadbeef.1");
        try {
            assertThat(orphan.waitFor(30, TimeUnit.SECONDS)).isTrue();
            greet();
            assertThat(other.isAlive()).isTrue();
        } finally {
            orphan.destroyForcibly();
            other.destroyForcibly();
        }
    }

    /// Waits for a line that never comes.
    private static Process marked(String tree) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo runs; read -r line");
        builder.environment().put("FUSEBOX_TREE", tree);
        Process process = builder.start();
        assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("runs");
        return process;
    }

    @Test
    void client_disconnect_stops_gateway_and_servers() throws Exception {
        greet();
        say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}");

        requests.close();

        assertThat(answers.readLine()).contains("\"id\":2");
        assertThat(answers.readLine()).isNull();
        assertThat(gateway.waitFor(GONE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.exitValue()).isZero();
        assertThat(marked()).isEmpty();
    }

    /// F98: writing into a pipe that nobody reads any more is SIGPIPE for most programs.
    @Test
    void closed_stdout_stops_gateway_in_order() throws Exception {
        greet();
        answers.close();
        for (int id = 2; id < 5; id++) {
            say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}");
        }
        requests.close();
        assertThat(gateway.waitFor(GONE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.exitValue()).isZero();
        assertThat(marked()).isEmpty();
    }

    @Test
    void sigterm_stops_gateway_and_servers_with_0() throws Exception {
        greet();

        assertThat(gateway.toHandle().destroy()).isTrue();

        assertThat(gateway.waitFor(GONE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.exitValue()).isZero();
        assertThat(marked()).isEmpty();
    }

    /// That is how clients end their servers: they close the pipes, and send a signal.
    @Test
    void signal_after_disconnect_is_first_signal() throws Exception {
        greet();

        requests.close();
        // On a machine that stood still meanwhile it may have ended before the signal.
        gateway.toHandle().destroy();

        assertThat(gateway.waitFor(GONE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.exitValue()).isZero();
        eventually(
                "all marked processes have ended",
                GONE,
                () -> assertThat(marked()).isEmpty());
    }
}
