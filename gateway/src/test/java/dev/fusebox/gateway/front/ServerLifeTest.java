package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Starts and ends of servers as their clients see them. Over five seconds: a slow response takes the whole call
/// timeout.
@Tag("process")
@Timeout(120)
class ServerLifeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MANY_SECONDS = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private Path journal() {
        return folder.resolve("journal");
    }

    private static SessionSettings impatient(Duration timeout) {
        return SessionSettings.of("server").withTimeout(timeout);
    }

    // ---- Starting

    @Test
    void start_failure_names_the_command_without_secrets() throws IOException {
        Path notExecutable = Files.writeString(folder.resolve("plain"), "text");
        Path badInterpreter = Files.writeString(folder.resolve("script"), "#!/nowhere/at/all\n");
        assertThat(badInterpreter.toFile().setExecutable(true)).isTrue();
        for (String command : List.of("no-such-command-at-all", notExecutable.toString(), badInterpreter.toString())) {
            ChildSpec spec = ChildSpec.of(command, "--key=hidden").withEnv(Map.of("TOKEN", "hidden"));
            try (StdioClient client = StdioClient.silent(SessionSettings.of("server"), spec)) {
                JsonView answer = client.ask("1", Frame.hello("1"));

                assertThat(Frame.kind(answer)).isEqualTo("connect_failed offline not_sent");
                assertThat(answer.json()).contains(command).doesNotContain("hidden");
            }
        }
    }

    @Test
    void server_that_exits_at_start_is_reported_with_exit_code_and_stderr() {
        try (StdioClient client = StdioClient.silent(SessionSettings.of("server"), Servers.faulty("exit-at-start=7"))) {
            JsonView answer = client.ask("1", Frame.hello("1"));

            assertThat(Frame.kind(answer)).startsWith("server_crashed stdio-exit ");
            JsonView cause = Objects.requireNonNull(Frame.fault(answer).member("cause"));
            assertThat(cause.member("exitCode")).hasToString("7");
            assertThat(Objects.requireNonNull(cause.member("stderrTail")).elements())
                    .hasSizeBetween(1, 10)
                    .last()
                    .hasToString("\"fixture: cannot start, reason 10\"");
        }
    }

    /// The process may have exited before the first write.
    @Test
    void server_that_exits_before_the_first_write_is_reported_as_exited() {
        ChildSpec spec = Servers.sh("echo no licence >&2; exit 3");
        for (int i = 0; i < 20; i++) {
            try (StdioClient client = StdioClient.silent(SessionSettings.of("server"), spec)) {
                JsonView answer = client.ask("1", Frame.hello("1"));

                assertThat(Frame.kind(answer)).startsWith("server_crashed stdio-exit ");
                assertThat(Frame.fault(answer).path("cause", "stderrTail")).hasToString("[\"no licence\"]");
            }
        }
    }

    // ---- Crashing

    @Test
    void crash_affects_only_its_own_session_once() throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.faulty());
                WebClient one = gateway.connect().hello();
                WebClient other = gateway.connect().hello()) {
            JsonView crashed = one.call("1", "crash", "{\"how\":\"KILL\"}");

            assertThat(Frame.kind(crashed)).isEqualTo("server_crashed stdio-exit unknown");
            assertThat(Frame.fault(crashed).path("cause", "signal")).hasToString("\"SIGKILL\"");
            assertThat(Frame.fault(crashed).member("server")).hasToString("\"server\"");
            assertThat(Frame.fault(crashed).member("tool")).hasToString("\"crash\"");
            assertThat(other.echo("1", "undisturbed")).isEqualTo("undisturbed");
            assertThat(one.echo("2", "again")).isEqualTo("again");
            assertThat(Frame.fault(one.call("3", "crash", "{\"how\":\"9\"}")).path("cause", "exitCode"))
                    .hasToString("9");
            assertThat(one.echo("4", "and again")).isEqualTo("and again");
            eventually(
                    "two server processes are running",
                    () -> assertThat(gateway.servers()).hasSize(2));
        }
    }

    @Test
    void all_pending_calls_fail_on_a_crash() {
        try (StdioClient client = StdioClient.of(Servers.noting(journal(), "hang@1-20"))) {
            for (int i = 1; i <= 20; i++) {
                client.say(Frame.echo("" + i, "lost"));
            }
            eventually(
                    "20 calls are noted",
                    () -> assertThat(Machine.journal(journal())).hasSize(20));
            client.say(Frame.call("21", "crash", "{}"));

            for (int i = 1; i <= 21; i++) {
                assertThat(Frame.kind(client.answer("" + i))).isEqualTo("server_crashed stdio-exit unknown");
            }
        }
    }

    @Test
    void server_that_closes_its_output_counts_as_crashed() {
        try (StdioClient client = StdioClient.of(Servers.faulty("close-stdout@1"))) {
            long before = client.pid();

            JsonView answer = client.call("1", "echo", "{}");

            assertThat(Frame.kind(answer)).isEqualTo("server_crashed stdio-exit unknown");
            Machine.assertGone(List.of(before));
        }
    }

    /// It closes its input before it answers the greeting: what is written to a pipe before its reader closes it is
    /// lost without an error, and its call ends with its timeout. The first message after that ends its process.
    @Test
    void server_that_closes_its_input_counts_as_crashed() {
        String welcome = "printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\\n'; ";
        ChildSpec spec = Servers.sh("read -r line; exec <&-; " + welcome + "sleep 1000");
        try (StdioClient client = StdioClient.silent(SessionSettings.of("server"), spec)) {
            assertThat(client.ask("0", Frame.hello("0")).member("result")).isNotNull();
            long before = client.pid();
            client.say(Frame.INITIALIZED);

            eventually(
                    "the crash is reported",
                    () -> assertThat(Frame.kind(client.call("" + System.nanoTime(), "echo", "{}")))
                            .startsWith("server_crashed stdio-exit "));

            Machine.assertGone(List.of(before));
        }
    }

    @Test
    void server_that_closes_its_stderr_continues() {
        try (StdioClient client = StdioClient.of(Servers.faulty("close-stderr@1"))) {
            assertThat(client.echo("1", "still")).isEqualTo("still");
            assertThat(client.echo("2", "here")).isEqualTo("here");
        }
    }

    /// Detected by the end of the process and not by that of its pipes, which another process holds.
    @Test
    void exit_is_detected_although_a_grandchild_keeps_the_pipes_open() {
        try (StdioClient client = StdioClient.of(Servers.noting(journal(), "fork@1", "crash-before@2"))) {
            client.echo("1", "forked");
            List<Long> forked = Machine.forked(journal());
            long begin = PLATFORM.ticker().nanos();

            JsonView answer = client.call("2", "echo", "{}");

            assertThat(Duration.ofNanos(PLATFORM.ticker().nanos() - begin)).isLessThan(MANY_SECONDS);
            assertThat(Frame.kind(answer)).isEqualTo("server_crashed stdio-exit unknown");
            assertThat(forked).hasSize(1);
            Machine.assertGone(forked);
        }
    }

    // ---- Ending

    @Test
    void session_end_kills_an_unresponsive_server_with_all_its_children() throws IOException {
        Machine.needsLinux();
        try (WebGateway gateway =
                WebGateway.of(Servers.noting(journal(), "ignore-eof", "ignore-sigterm", "fork@1", "fork-detached@2"))) {
            WebClient client = gateway.connect().hello();
            client.echo("1", "one");
            client.echo("2", "two");
            List<Long> servers = gateway.servers();
            List<Long> forked = Machine.forked(journal());
            assertThat(forked).hasSize(2).allMatch(Machine::isAlive);

            assertThat(client.delete()).isEqualTo(200);

            Machine.assertGone(servers);
            Machine.assertGone(forked);
            eventually(
                    "no zombie process is left",
                    () -> assertThat(Machine.zombiesOfOurs()).isEqualTo(0));
            client.close();
        }
    }

    @Test
    void session_end_terminates_a_server_behind_a_wrapper() throws IOException {
        ChildSpec inner = Servers.noting(journal(), "ignore-eof");
        String[] command = new String[inner.args().size() + 1];
        command[0] = inner.command();
        System.arraycopy(
                inner.args().toArray(new String[0]), 0, command, 1, inner.args().size());
        Machine.needsLinux();
        try (WebGateway gateway =
                WebGateway.of(Servers.sh("\"$@\"; true", command).withEnv(Map.of("WRAPPED", "here")))) {
            WebClient client = gateway.connect().hello();
            assertThat(client.echo("1", "through")).isEqualTo("through");
            assertThat(Machine.carrying("WRAPPED", "here")).hasSize(2);

            client.delete();

            eventually(
                    "the tagged processes have ended",
                    () -> assertThat(Machine.carrying("WRAPPED", "here")).isEmpty());
            client.close();
        }
    }

    // ---- Flooding, stalling, slow output

    @Test
    void flood_on_stderr_does_no_harm() {
        long before = Machine.heldBytes();
        try (StdioClient client =
                StdioClient.of(Servers.faulty("stderr-flood=67108864@1", "stderr-endless-line=10485760@2"))) {
            assertThat(client.echo("1", "after 64 MiB")).isEqualTo("after 64 MiB");
            assertThat(client.echo("2", "after a line of 10 MiB")).isEqualTo("after a line of 10 MiB");
            assertThat(Machine.heldBytes() - before).isLessThan(16 << 20);
        }
    }

    @Test
    void server_that_stops_reading_times_out_and_is_replaced() throws IOException {
        ChildLimits limits = ChildLimits.defaults().withStuckWrite(Duration.ofSeconds(8));
        ChildSpec spec = Servers.faulty("stop-reading@1").withLimits(limits);
        try (WebGateway gateway = WebGateway.of(impatient(Duration.ofSeconds(5)), SessionBounds.USUAL, spec);
                WebClient one = gateway.connect().hello();
                WebClient other = gateway.connect().hello()) {
            one.echo("1", "the last that is read");
            List<Long> before = gateway.servers();

            JsonView answer = one.call("2", "echo", "{\"text\":\"" + "x".repeat(1 << 20) + "\"}");

            assertThat(Frame.kind(answer)).isEqualTo("timeout offline unknown");
            assertThat(other.echo("2", "undisturbed")).isEqualTo("undisturbed");
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.servers()).hasSize(1));
            assertThat(echoAtLast(one, "a new one")).isEqualTo("a new one");
            assertThat(gateway.servers()).hasSize(2).doesNotContainSequence(before);
        }
    }

    /// On a busy machine a new server may take longer to start than the timeout of one of these calls.
    private static String echoAtLast(WebClient client, String text) throws IOException {
        String answer = "nothing";
        for (int attempt = 0; attempt < 30 && !answer.equals(text); attempt++) {
            answer = client.echo("\"again " + attempt + "\"", text);
        }
        return answer;
    }

    @Test
    void partial_response_does_not_count() {
        try (StdioClient client = StdioClient.of(impatient(SECOND), Servers.faulty("partial@1"))) {
            assertThat(Frame.kind(client.call("1", "echo", "{\"text\":\"half\"}")))
                    .isEqualTo("timeout offline unknown");
        }
    }

    @Test
    void slow_response_is_bounded_by_the_call_timeout() {
        try (StdioClient client =
                StdioClient.of(impatient(Duration.ofSeconds(5)), Servers.faulty("drip=2@1", "drip=200@2"))) {
            assertThat(client.echo("1", "slow and steady")).isEqualTo("slow and steady");
            assertThat(Frame.kind(client.call("2", "echo", "{\"text\":\"too slow\"}")))
                    .isEqualTo("timeout offline unknown");
        }
    }

    @Test
    void lines_are_split_only_at_line_feeds() {
        try (StdioClient client = StdioClient.of(Servers.faulty("glue@1", "split=1000@2", "crlf@3"))) {
            String text = "ü€😀".repeat(300);
            assertThat(client.echo("1", "glued")).isEqualTo("glued");
            assertThat(client.echo("2", text)).isEqualTo(text);
            assertThat(client.echo("3", "with a carriage return")).isEqualTo("with a carriage return");
            assertThat(client.others()).anyMatch(line -> line.contains("notifications/message"));
        }
    }
}
