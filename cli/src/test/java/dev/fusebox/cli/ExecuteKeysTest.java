package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The effect of the settings in `execute`, as a client observes it.
///
/// Over five seconds: each gateway starts a worker of its own.
@Tag("process")
@Timeout(240)
class ExecuteKeysTest {
    /// More than a worker that is idle needs for a script.
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    /// A call that has not reached the gateway by then would not be waiting there.
    private static final Duration LONG_ENOUGH_TO_ARRIVE = Duration.ofSeconds(3);

    private static final String HOLDING = "await servers.one.echo({held: 1}); 1";

    /// Gateways of other tests have none.
    @BeforeAll
    static void hereIsTheWorker() {
        System.setProperty(
                WorkerLauncher.PLACE,
                System.getProperty("java.class.path", "")
                        + File.pathSeparator
                        + System.getProperty("jdk.module.path", ""));
    }

    @AfterAll
    static void noMore() {
        System.clearProperty(WorkerLauncher.PLACE);
    }

    private static Configured gateway(String execute) {
        return Configured.of("\"command\":\"/nowhere\"", ",\"expose\":\"meta\",\"execute\":{" + execute + "}");
    }

    private static JsonView run(Configured gateway, String code) {
        String members = ",\"name\":\"mcp_execute\",\"arguments\":{\"code\":" + JsonWriter.quoted(code) + "}";
        JsonView answer = gateway.ask("tools/call", members, "Mcp-Name", "mcp_execute");
        return Objects.requireNonNull(answer.path("result", "structuredContent"), answer::json);
    }

    /// The code of a script that fails; its result if it does not.
    private static String end(String execute, String code) {
        try (Configured gateway = gateway(execute)) {
            JsonView report = run(gateway, code);
            JsonView error = report.member("error");
            return error == null
                    ? Objects.requireNonNull(report.member("result")).json()
                    : Objects.requireNonNull(error.string("code"));
        }
    }

    @Test
    @Shows("execute.enabled")
    void scripts_run_only_if_enabled() {
        try (Configured on = gateway("\"enabled\":true");
                Configured off = gateway("\"enabled\":false")) {
            assertThat(on.tools()).contains("mcp_execute", "mcp_call");
            assertThat(off.tools()).contains("mcp_call").doesNotContain("mcp_execute");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "\"timeoutMs\":5 | await sleep(10); 1 | timeout",
                "\"timeoutMs\":600000 | await sleep(10); 1 | 1",
                "\"memoryMb\":8 | new Uint8Array(100 << 20).length >> 20 | limit_exceeded",
                "\"memoryMb\":200 | new Uint8Array(100 << 20).length >> 20 | 100",
                "\"maxCalls\":0 | await servers.one.a().catch(e => e.message.includes('limit of 0 calls')) | true",
                "\"maxCalls\":1 | await servers.one.a().catch(e => e.message.includes('limit of 0 calls')) | false",
                "\"maxOutputBytes\":50 | 'x'.repeat(100).length + 'x'.repeat(100) | limit_exceeded",
                "\"maxOutputBytes\":500 | 'x'.repeat(100).length | 100",
            })
    @Shows({"execute.timeoutMs", "execute.memoryMb", "execute.maxCalls", "execute.maxOutputBytes"})
    void script_limits_are_enforced(String execute, String code, String end) {
        assertThat(end(execute, code)).isEqualTo(end);
    }

    @Test
    @Shows("execute.runsAtOnce")
    void runs_at_once_limits_concurrent_scripts() throws Exception {
        try (HeldServer server = new HeldServer();
                Configured gateway = gateway(server, "\"runsAtOnce\":2")) {
            Future<JsonView> other = running(gateway, HOLDING);
            eventually("the other script is under way", () -> server.holds() == 1);
            assertThat(run(gateway, "1").member("result")).isNotNull();
            assertThat(other.isDone()).isFalse();
        }
        try (HeldServer server = new HeldServer();
                Configured gateway = gateway(server, "\"runsAtOnce\":1")) {
            Future<JsonView> other = running(gateway, HOLDING);
            eventually("the other script is under way", () -> server.holds() == 1);
            Future<JsonView> next = running(gateway, "1");
            throughout("the next script waits", A_WHILE, () -> !next.isDone());
            server.let();
            assertThat(next.get().member("result")).isNotNull();
            assertThat(other.get().member("result")).isNotNull();
        }
    }

    /// A client of the session era and those of the stateless era, which count as one.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void script_queue_is_bounded_per_client(boolean inSession) throws Exception {
        try (HeldServer server = new HeldServer();
                Configured gateway = gateway(server, "\"runsAtOnce\":1")) {
            String session = gateway.hello();
            Queue<String> ended = new ConcurrentLinkedQueue<>();
            List<Future<?>> all = new ArrayList<>();
            all.add(running(() -> ended.add(end(gateway, inSession ? session : null, HOLDING))));
            eventually("the first script is under way", () -> server.holds() == 1);
            for (int i = 0; i < 25; i++) {
                all.add(running(() -> ended.add(end(gateway, inSession ? session : null, "'busy'"))));
            }
            eventually("five are refused", () -> assertThat(ended).hasSize(5).containsOnly("overloaded"));

            all.add(running(() -> ended.add(end(gateway, inSession ? null : session, "'other'"))));
            throughout("the other client waits", LONG_ENOUGH_TO_ARRIVE, () -> !ended.contains("other"));
            server.let();
            for (Future<?> each : all) {
                each.get();
            }
            List<String> order = List.copyOf(ended).subList(5, 27);
            // The scripts end in turn, but their clients learn it in any order.
            assertThat(order.indexOf("other")).as(order::toString).isBetween(0, 5);
        }
    }

    private static Future<?> running(Runnable what) {
        return CompletableFuture.runAsync(what, Thread::startVirtualThread);
    }

    /// The result of a script, or the code of its failure.
    ///
    /// @param session null for a client of the stateless era
    private static String end(Configured gateway, @Nullable String session, String code) {
        JsonView report = session == null ? run(gateway, code) : run(gateway, session, code);
        JsonView failed = report.path("error", "code");
        return Objects.requireNonNullElse(
                Objects.requireNonNull(failed == null ? report.member("result") : failed)
                        .string(),
                "1");
    }

    private static JsonView run(Configured gateway, String session, String code) {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":\"" + UUID.randomUUID() + "\",\"method\":\"tools/call\",\"params\":{"
                + "\"name\":\"mcp_execute\",\"arguments\":{\"code\":" + JsonWriter.quoted(code) + "}}}";
        JsonView answer = gateway.post(call, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
                .json();
        return Objects.requireNonNull(answer.path("result", "structuredContent"), answer::json);
    }

    private static Configured gateway(HeldServer server, String execute) {
        String url = "\"url\":\"" + server.uri() + "\",\"era\":\"modern\"";
        return Configured.of(url, ",\"expose\":\"meta\",\"execute\":{" + execute + "}");
    }

    private static Future<JsonView> running(Configured gateway, String code) {
        return CompletableFuture.supplyAsync(() -> run(gateway, code), Thread::startVirtualThread);
    }
}
