package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.testkit.server.Era;
import dev.fusebox.testkit.server.Script;
import dev.fusebox.testkit.server.ScriptedServer;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the keys of recovery change, seen by a client, and by what the server is asked.
///
/// Over five seconds: many processes are started.
@Timeout(120)
class RecoveryKeysTest {
    private static final Script FAULTLESS = Script.faultless().withEra(Era.LEGACY);

    /// Longer than any of this takes.
    private static final long NEVER = 3_600_000;

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

    private static int crashes(String recovery) {
        try (Configured gateway =
                gateway(Configured.process(FAULTLESS), recovery + ",\"restartDelaysMs\":[" + NEVER + "]")) {
            return gateway.callsBefore("permanently_failed", "crash", 5);
        }
    }

    @Test
    @Shows("recovery.maxCrashes")
    void after_so_many_crashes_a_server_is_given_up() {
        assertThat(crashes("\"maxCrashes\":2")).isEqualTo(2);
        assertThat(crashes("\"maxCrashes\":0")).isEqualTo(5);
    }

    @Test
    @Shows("recovery.crashWindowMs")
    void crashes_are_forgotten_after_so_long() {
        assertThat(crashes("\"maxCrashes\":2,\"crashWindowMs\":600000")).isEqualTo(2);
        assertThat(crashes("\"maxCrashes\":2,\"crashWindowMs\":1")).isEqualTo(5);
    }

    @Test
    @Shows("recovery.restartDelaysMs")
    void a_server_that_crashed_is_started_again_after_so_long() {
        assertThat(isStartedAgain(10, 3)).isTrue();
        // A busy machine may take longer until all that is asked of it when it is new has been answered.
        assertThat(IntStream.of(2, 4, 8).allMatch(seconds -> isStartedAgain(NEVER, seconds)))
                .isFalse();
    }

    private boolean isStartedAgain(long delay, int seconds) {
        Path note = folder.resolve("delay" + delay);
        try (Configured gateway = gateway(starting(note), "\"restartDelaysMs\":[" + delay + "]")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            // What is asked of it when it crashes is asked again, of another process: its lists are read for a second.
            Configured.rest(Duration.ofSeconds(seconds));
            // To find out its era may have taken two.
            long before = lines(note, "started");
            gateway.call("crash", "{}");
            return Configured.isSoon(() -> lines(note, "started") > before, limit(delay));
        }
    }

    /// What is to happen is given time; what is not is given a moment.
    private static Duration limit(long delay) {
        return delay == NEVER ? Duration.ofMillis(500) : Duration.ofSeconds(30);
    }

    @Test
    @Shows("recovery.selfProbeMs")
    void a_server_that_was_given_up_comes_back_by_itself_after_so_long() {
        assertThat(comesBack(50)).isTrue();
        assertThat(comesBack(NEVER)).isFalse();
    }

    private static boolean comesBack(long selfProbe) {
        String recovery = "\"maxCrashes\":1,\"selfProbeMs\":" + selfProbe;
        try (Configured gateway = gateway(Configured.process(FAULTLESS), recovery)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            gateway.call("crash", "{}");
            return Configured.isSoon(() -> gateway.code("echo", "{}").equals("done"), limit(selfProbe));
        }
    }

    @Test
    @Shows("recovery.pingMs")
    void a_server_is_asked_so_often_whether_it_is_still_there() {
        assertThat(isPinged(20)).isTrue();
        assertThat(isPinged(0)).isFalse();
    }

    private boolean isPinged(long pingMs) {
        Path note = folder.resolve("ping" + pingMs);
        try (Configured gateway = gateway(noting(note), "\"pingMs\":" + pingMs)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            return Configured.isSoon(() -> lines(note, "\"ping\"") > 2, limit(pingMs == 0 ? NEVER : pingMs));
        }
    }

    @Test
    @Shows("recovery.healthCheckMs")
    void a_remote_server_that_is_down_is_asked_so_often() throws Exception {
        assertThat(isAskedAgain(50)).isTrue();
        assertThat(isAskedAgain(NEVER)).isFalse();
    }

    @Test
    void a_process_that_is_kept_alive_is_asked_as_often_as_a_remote_server_that_is_down() {
        assertThat(isKeptAnEyeOn(",\"lifecycle\":\"keep-alive\"")).isTrue();
        assertThat(isKeptAnEyeOn("")).isFalse();
    }

    private boolean isKeptAnEyeOn(String lifecycle) {
        Path note = folder.resolve("kept" + lifecycle.length());
        try (Configured gateway = gateway(noting(note) + lifecycle, "\"healthCheckMs\":20")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            return Configured.isSoon(() -> lines(note, "\"ping\"") > 2, limit(lifecycle.isEmpty() ? NEVER : 20));
        }
    }

    /// Many a server does one thing at a time.
    @Test
    void a_server_that_works_on_a_call_is_not_asked_meanwhile() throws Exception {
        HeldProcess server = new HeldProcess(folder.resolve("busy"));
        try (Configured gateway = gateway(server.members(FAULTLESS), "\"pingMs\":20")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            assertThat(Configured.isSoon(() -> server.count("\"ping\"") > 2)).isTrue();
            Future<String> call = CompletableFuture.supplyAsync(
                    () -> gateway.code("echo", HeldProcess.HELD), Thread::startVirtualThread);
            assertThat(Configured.isSoon(() -> server.held() > 0)).isTrue();
            long before = server.count("\"ping\"");
            Configured.rest(Duration.ofSeconds(1));
            long after = server.count("\"ping\"");
            server.let();
            assertThat(call.get()).isEqualTo("done");
            // One may have been on its way.
            assertThat(after - before).isLessThanOrEqualTo(1);
        }
    }

    private static boolean isAskedAgain(long healthCheck) throws Exception {
        AtomicInteger visitors = new AtomicInteger();
        try (ServerSocket down = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> turnAway(down, visitors));
            String url = "\"url\":\"http://127.0.0.1:" + down.getLocalPort() + "/mcp\"";
            try (Configured gateway = gateway(url, "\"healthCheckMs\":" + healthCheck)) {
                assertThat(gateway.code("any", "{}")).isNotEqualTo("done");
                assertThat(Configured.isSoon(() -> visitors.get() > 0)).isTrue();
                Configured.rest(Duration.ofMillis(500));
                int before = visitors.get();
                return Configured.isSoon(() -> visitors.get() > before + 5, limit(healthCheck));
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
