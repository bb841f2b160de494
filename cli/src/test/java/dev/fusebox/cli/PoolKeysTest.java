package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The effect of the settings in `pool`, as a client observes it and by the running servers.
///
/// Over five seconds: many processes are started.
@Tag("process")
@Timeout(120)
class PoolKeysTest {
    private static final String PROCESS =
            Configured.process(ServerScript.faultless().withEra(Era.MODERN));

    /// Long enough to tell that nothing happens.
    private static final Duration WHILE = Duration.ofMillis(700);

    @TempDir
    private Path folder = Path.of("");

    /// Two servers, `one` and `two`.
    private static Configured two(String one, String pool) {
        return Configured.whole("{\"mcpServers\":{\"one\":{" + one + "},\"two\":{" + PROCESS
                + "}},\"http\":{\"port\":0},\"pool\":{" + pool + "}}");
    }

    private static Configured one(String lifecycle, String pool) {
        return Configured.of(PROCESS + lifecycle, ",\"pool\":{" + pool + "}");
    }

    private static boolean has(Path journal, String word) {
        try {
            return Files.readString(journal).contains(word);
        } catch (IOException notYet) {
            return false;
        }
    }

    private static CompletableFuture<String> begun(Configured gateway, String server, String tool, String arguments) {
        return CompletableFuture.supplyAsync(() -> gateway.codeAt(server, tool, arguments), Thread::startVirtualThread);
    }

    private static void eventuallyRun(Configured gateway, int processes) {
        eventually(
                processes + " processes are running",
                () -> assertThat(gateway.processes()).isEqualTo(processes));
    }

    private static void keepRunning(Configured gateway, int processes) {
        throughout(
                processes + " processes are running",
                WHILE,
                () -> assertThat(gateway.processes()).isEqualTo(processes));
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    @Shows("pool.poolSize")
    void pool_size_limits_running_servers(int size) {
        try (Configured gateway = two(PROCESS, "\"poolSize\":" + size)) {
            assertThat(gateway.codeAt("one", "echo", "{}")).isEqualTo("done");
            assertThat(gateway.codeAt("two", "echo", "{}")).isEqualTo("done");
            eventuallyRun(gateway, size);
        }
    }

    /// What becomes of a call to the second of two servers, while the first is busy with one that takes long, and
    /// for which there is one place.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^\"queueTimeoutMs\":50^,overloaded",
                "^\"queueTimeoutMs\":60000^,waits",
                "^\"queueLength\":0^,overloaded",
                "^\"queueLength\":1^,waits",
                "^\"resPoolSize\":1,\"resPoolTimeout\":10^,done",
                "^\"resPoolSize\":1,\"resPoolTimeout\":3600000^,waits",
            })
    @Shows({"pool.queueTimeoutMs", "pool.queueLength", "pool.resPoolSize", "pool.resPoolTimeout"})
    void exhausted_pool_queues_or_rejects_calls(String pool, String end)
            throws ExecutionException, InterruptedException {
        Path journal = folder.resolve("journal");
        String first =
                Configured.process(ServerScript.faultless().withEra(Era.MODERN).withJournal(journal));
        try (Configured gateway = two(first, "\"poolSize\":1,\"drainMs\":1," + pool)) {
            CompletableFuture<String> slow = begun(gateway, "one", "slow", "{\"ms\":60000}");
            eventually("the slow call is noted", () -> has(journal, "slow"));
            CompletableFuture<String> other = begun(gateway, "two", "echo", "{}");
            if (end.equals("waits")) {
                throughout("the call to two waits", WHILE, () -> !other.isDone());
            } else {
                eventually("the call to two ends", other::isDone);
                assertThat(other.get()).isEqualTo(end);
            }
            assertThat(slow.isDone()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"50,true", "600000,false"})
    @Shows("pool.idleTimeoutMs")
    void idle_server_is_stopped(long millis, boolean ends) {
        try (Configured gateway = one("", "\"idleTimeoutMs\":" + millis)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            if (ends) {
                eventuallyRun(gateway, 0);
            } else {
                keepRunning(gateway, 1);
            }
            assertThat(gateway.tools()).contains("one__echo");
        }
    }

    @Test
    @Shows("pool.minPoolSize")
    void min_pool_size_keeps_servers_running() {
        try (Configured gateway = one("", "\"idleTimeoutMs\":50,\"minPoolSize\":1")) {
            eventuallyRun(gateway, 1);
            eventually(
                    "tool one__echo is listed",
                    () -> assertThat(gateway.tools()).contains("one__echo"));
            keepRunning(gateway, 1);
        }
        try (Configured gateway = one("", "\"minPoolSize\":0")) {
            keepRunning(gateway, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,overloaded", "2,done"})
    @Shows("pool.maxRemoteSessions")
    void max_remote_sessions_limits_remote_connections(int most, String code) throws IOException {
        try (HeldServer first = new HeldServer();
                HeldServer second = new HeldServer();
                Configured gateway = Configured.whole("{\"mcpServers\":{\"one\":{\"url\":\"" + first.uri()
                        + "\",\"era\":\"modern\"},\"two\":{\"url\":\"" + second.uri()
                        + "\",\"era\":\"modern\"}},\"http\":{\"port\":0},\"pool\":{\"queueTimeoutMs\":1000,"
                        + "\"maxRemoteSessions\":" + most + "}}")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            CompletableFuture<String> held = first.hold(gateway, "echo");
            assertThat(gateway.codeAt("two", "echo", "{}")).isEqualTo(code);
            first.let();
            assertThat(held.join()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^\"ephemeral\"^,0",
                "^{\"mode\":\"ephemeral\",\"lingerMs\":600000}^,1",
                "^\"keep-alive\"^,1",
                "^{\"mode\":\"keep-alive\",\"idleTimeoutMs\":60}^,0",
                "^{\"idleTimeoutMs\":600000}^,0",
            })
    @Shows({"lifecycle.mode", "lifecycle.idleTimeoutMs", "lifecycle.lingerMs"})
    void lifecycle_mode_is_respected(String lifecycle, int left) {
        try (Configured gateway = one(",\"lifecycle\":" + lifecycle, "\"idleTimeoutMs\":50")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            if (left == 0) {
                eventuallyRun(gateway, 0);
            } else {
                keepRunning(gateway, 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Shows("lifecycle.eager")
    void eager_server_starts_with_gateway(boolean eager) {
        String lifecycle = ",\"lifecycle\":{\"mode\":\"keep-alive\",\"eager\":" + eager + "}";
        try (Configured gateway = one(lifecycle, "")) {
            if (eager) {
                eventuallyRun(gateway, 1);
            } else {
                keepRunning(gateway, 0);
            }
        }
    }
}
