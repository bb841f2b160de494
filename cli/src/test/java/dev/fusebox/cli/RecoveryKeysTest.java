package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The effect of the settings in `recovery`, as a client and the server observe it.
///
/// Over five seconds: many processes are started.
@Tag("process")
@Timeout(120)
class RecoveryKeysTest {
    private static final ServerScript FAULTLESS = ServerScript.faultless().withEra(Era.LEGACY);

    /// Longer than any of this takes.
    private static final long NEVER = 3_600_000;

    private static final List<String> LISTS =
            List.of("tools/list", "prompts/list", "resources/list", "resources/templates/list");

    /// Long enough to tell that nothing happens.
    private static final Duration MOMENT = Duration.ofMillis(500);

    @TempDir
    private Path folder = Path.of("");

    private static Configured gateway(String server, String recovery) {
        return Configured.of(server + ",\"breaker\":{\"failureThreshold\":1000}", ",\"recovery\":{" + recovery + "}");
    }

    /// A server that writes a line into a file each time it is started.
    private static String starting(Path note) {
        return shell("echo started >> \"$0\"; exec \"$@\"", note);
    }

    /// A server that writes into a file what it is sent.
    private static String noting(Path note) {
        return shell("tee -a \"$0\" | \"$@\"", note);
    }

    private static String shell(String script, Path note) {
        List<String> command = ScriptedServer.stdio(FAULTLESS);
        JsonWriter args = new JsonWriter().beginArray();
        args.string("-c").string(script).string(note.toString());
        command.forEach(args::string);
        return "\"command\":\"sh\",\"args\":" + args.endArray();
    }

    private static long lines(Path note, String word) {
        try {
            return Files.readAllLines(note).stream()
                    .filter(line -> line.contains(word))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    /// A process for each session: one session that shares its server counts once.
    private static int crashes(String recovery) {
        String server = Configured.process(FAULTLESS) + ",\"isolation\":\"session\"";
        String stop = recovery.contains("afterMaxCrashes") ? "" : ",\"afterMaxCrashes\":\"stop\"";
        try (Configured gateway = gateway(server, recovery + stop + ",\"restartDelaysMs\":[" + NEVER + "]")) {
            return gateway.callsBefore("permanently_failed", "crash", 5);
        }
    }

    @Test
    @Shows("recovery.maxCrashes")
    void max_crashes_marks_server_permanently_failed() {
        assertThat(crashes("\"maxCrashes\":2")).isEqualTo(2);
        assertThat(crashes("\"maxCrashes\":0")).isEqualTo(5);
    }

    @Test
    @Shows("recovery.afterMaxCrashes")
    void after_max_crashes_selects_restart_or_rejection() {
        assertThat(crashes("\"maxCrashes\":2,\"afterMaxCrashes\":\"stop\"")).isEqualTo(2);
        assertThat(crashes("\"maxCrashes\":2,\"afterMaxCrashes\":\"onDemand\"")).isEqualTo(5);
    }

    @Test
    @Shows("recovery.crashWindowMs")
    void crash_window_limits_counted_crashes() {
        assertThat(crashes("\"maxCrashes\":2,\"crashWindowMs\":600000")).isEqualTo(2);
        assertThat(crashes("\"maxCrashes\":2,\"crashWindowMs\":1")).isEqualTo(5);
    }

    @Test
    @Shows("recovery.restartDelaysMs")
    void restart_delay_is_respected() {
        isStartedAgain(10, true);
        isStartedAgain(NEVER, false);
    }

    private void isStartedAgain(long delay, boolean expected) {
        Path note = folder.resolve("delay" + delay);
        try (Configured gateway = gateway(starting(note), "\"restartDelaysMs\":[" + delay + "]")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            // A list that is being read when the server crashes is asked again, of another process.
            for (String list : LISTS) {
                gateway.ask(list, "");
            }
            // To find out its era may have taken two.
            long before = lines(note, "started");
            gateway.call("crash", "{}");
            happens("the server is started again", expected, () -> lines(note, "started") > before);
        }
    }

    /// What is to happen is given time; what is not is given a moment.
    private static void happens(String description, boolean expected, BooleanSupplier condition) {
        if (expected) {
            eventually(description, condition);
        } else {
            throughout("not: " + description, MOMENT, () -> !condition.getAsBoolean());
        }
    }

    @Test
    @Shows("recovery.selfProbeMs")
    void self_probe_recovers_permanently_failed_server() {
        comesBack(50, true);
        comesBack(NEVER, false);
    }

    private static void comesBack(long selfProbe, boolean expected) {
        String recovery = "\"maxCrashes\":1,\"afterMaxCrashes\":\"stop\",\"selfProbeMs\":" + selfProbe;
        try (Configured gateway = gateway(Configured.process(FAULTLESS), recovery)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            gateway.call("crash", "{}");
            happens(
                    "a call to echo succeeds",
                    expected,
                    () -> gateway.code("echo", "{}").equals("done"));
        }
    }

    @Test
    @Shows("recovery.pingMs")
    void ping_interval_is_respected() {
        isPinged(20, true);
        isPinged(0, false);
    }

    private void isPinged(long pingMs, boolean expected) {
        Path note = folder.resolve("ping" + pingMs);
        try (Configured gateway = gateway(noting(note), "\"pingMs\":" + pingMs)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            happens("more than two pings arrive", expected, () -> lines(note, "\"ping\"") > 2);
        }
    }

    @Test
    @Shows("recovery.healthCheckMs")
    void health_check_interval_polls_remote_server() throws Exception {
        isAskedAgain(50, true);
        isAskedAgain(NEVER, false);
    }

    @Test
    void health_check_interval_polls_keep_alive_process() {
        isKeptAnEyeOn(",\"lifecycle\":\"keep-alive\"", true);
        isKeptAnEyeOn("", false);
    }

    private void isKeptAnEyeOn(String lifecycle, boolean expected) {
        Path note = folder.resolve("kept" + lifecycle.length());
        try (Configured gateway = gateway(noting(note) + lifecycle, "\"healthCheckMs\":20")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            happens("more than two pings arrive", expected, () -> lines(note, "\"ping\"") > 2);
        }
    }

    /// Many a server does one thing at a time.
    @Test
    void busy_server_is_not_pinged() throws Exception {
        HeldProcess server = new HeldProcess(folder.resolve("busy"));
        try (Configured gateway = gateway(server.members(FAULTLESS), "\"pingMs\":20")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            eventually(
                    "more than two pings have arrived",
                    () -> assertThat(server.count("\"ping\"")).isGreaterThan(2));
            Future<String> call = CompletableFuture.supplyAsync(
                    () -> gateway.code("echo", HeldProcess.HELD), Thread::startVirtualThread);
            eventually("a call is held", () -> assertThat(server.held()).isGreaterThan(0));
            long before = server.count("\"ping\"");
            // One may have been on its way.
            throughout(
                    "the server is not asked",
                    Duration.ofSeconds(1),
                    () -> assertThat(server.count("\"ping\"") - before).isLessThanOrEqualTo(1));
            server.let();
            assertThat(call.get()).isEqualTo("done");
        }
    }

    private static void isAskedAgain(long healthCheck, boolean expected) throws Exception {
        AtomicInteger visitors = new AtomicInteger();
        try (ServerSocket down = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> turnAway(down, visitors));
            String url = "\"url\":\"http://127.0.0.1:" + down.getLocalPort() + "/mcp\"";
            try (Configured gateway = gateway(url, "\"healthCheckMs\":" + healthCheck)) {
                assertThat(gateway.code("any", "{}")).isNotEqualTo("done");
                eventually(
                        "the health check is asked",
                        () -> assertThat(visitors.get()).isGreaterThan(0));
                int before = visitors.get();
                // The last tries of the call may still be on their way.
                happens("more than five health checks arrive", expected, () -> visitors.get() > before + 5);
            }
        }
    }

    private static void turnAway(ServerSocket down, AtomicInteger visitors) {
        try {
            while (true) {
                down.accept().close();
                visitors.incrementAndGet();
            }
        } catch (SocketException over) {
            // The test is.
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
