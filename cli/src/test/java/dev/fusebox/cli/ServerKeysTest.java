package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultKind;
import dev.fusebox.fixtures.server.FaultProxy;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.LineFault;
import dev.fusebox.fixtures.server.ScriptedFault;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of the settings of a server, of its tools and of `retry`, as a client observes it.
@Tag("process")
@Timeout(120)
class ServerKeysTest {
    private static final ServerScript OLD = ServerScript.faultless().withEra(Era.LEGACY);

    @TempDir
    private Path folder = Path.of("");

    private static Configured process(ServerScript script, String more) {
        return Configured.of(Configured.process(script) + more, "");
    }

    /// In a while: a list waits for a server that starts for a second only.
    private static List<String> tools(Configured gateway) {
        eventually("tools are listed", () -> assertThat(gateway.tools()).isNotEmpty());
        return gateway.tools();
    }

    @Test
    @Shows({
        "server.command",
        "server.args",
        "server.env",
        "server.inheritEnv",
        "server.cwd",
        "$.mcpServers",
        "$.servers"
    })
    void process_settings_are_applied() throws IOException {
        Path note = folder.resolve("note");
        String shell = "\"command\":\"sh\",\"args\":[\"-c\",\"echo $A $(pwd) x$JAVA_HOME > " + note
                + "; exit 1\"],\"env\":{\"A\":\"given\"},\"cwd\":\"" + folder.toRealPath() + "\"";
        try (Configured gateway = Configured.of(shell + ",\"inheritEnv\":[\"JAVA_HOME\"]", "")) {
            assertThat(gateway.code("any", "{}")).isEqualTo("server_crashed");
        }
        String own = String.valueOf(System.getenv().getOrDefault("JAVA_HOME", ""));
        assertThat(note).content().isEqualToIgnoringNewLines("given " + folder.toRealPath() + " x" + own);
        try (Configured gateway = Configured.whole("{\"servers\":{\"one\":{" + shell + "}},\"http\":{\"port\":0}}")) {
            assertThat(gateway.code("any", "{}")).isEqualTo("server_crashed");
            assertThat(gateway.call("any", "{}").json()).contains("\"exitCode\":1");
        }
        assertThat(note).content().isEqualToIgnoringNewLines("given " + folder.toRealPath() + " x");
    }

    @Test
    @Shows({"server.url", "server.type", "server.headers"})
    void remote_settings_are_applied() throws Exception {
        try (FixtureServer server = FixtureServer.start(OLD);
                Configured http = Configured.of("\"url\":\"" + server.uri() + "\"", "");
                Configured sse = Configured.of("\"url\":\"" + server.uri() + "\",\"type\":\"sse\"", "");
                Configured stranger = Configured.of(
                        "\"url\":\"" + server.uri() + "\",\"headers\":{\"Origin\":\"https://elsewhere.test\"}", "")) {
            assertThat(http.code("echo", "{}")).isEqualTo("done");
            assertThat(sse.code("echo", "{}")).isNotEqualTo("done");
            assertThat(stranger.code("echo", "{}")).isEqualTo("auth_required");
        }
    }

    @Test
    @Shows({"server.disabled", "$.$schema"})
    void disabled_server_is_reported() {
        try (Configured gateway = process(OLD, ",\"disabled\":true")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("server_disabled");
        }
        String schema = ",\"$schema\":\"https://nowhere.test/schema.json\"";
        try (Configured gateway = Configured.of(Configured.process(OLD) + ",\"disabled\":false", schema)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
        }
    }

    /// As when a firewall drops what is sent to a server: no line is ever opened, and nobody refuses.
    @Test
    void unreachable_server_opens_breaker_despite_short_call_timeouts() throws IOException {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless());
                FaultProxy line = FaultProxy.to(server.uri().getPort())) {
            line.set(new LineFault.Unanswered());
            String url = "\"url\":\"" + line.through(server.uri()) + "\",\"era\":\"modern\"";
            String brief = ",\"timeoutMs\":1000,\"tcpConnectTimeoutMs\":5000,\"breaker\":{\"failureThreshold\":1}";
            try (Configured gateway = Configured.of(url + brief, "")) {
                eventually(
                        "a call to echo ends with breaker_open",
                        () -> assertThat(gateway.code("echo", "{}")).isEqualTo("breaker_open"));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"session,2", "shared,1", "auto,1"})
    @Shows("server.isolation")
    void session_isolation_starts_process_per_session(String isolation, int processes) {
        try (Configured gateway = process(OLD, ",\"isolation\":\"" + isolation + "\"")) {
            for (int session = 0; session < 2; session++) {
                assertThat(gateway.bodyInSession("echo", "{\"text\":\"here\"}")).contains("here");
            }
            eventually(
                    "the expected number of processes is running",
                    () -> assertThat(gateway.processes()).isEqualTo(processes));
        }
    }

    @ParameterizedTest
    @CsvSource({"3,2", "1,1"})
    @Shows("server.instances")
    void instances_limits_processes(int instances, int processes) throws Exception {
        HeldProcess server = new HeldProcess(folder.resolve("note"));
        try (Configured gateway = Configured.of(server.members(OLD) + ",\"instances\":" + instances, "")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.processes()).isEqualTo(1));
            List<Future<String>> calls = new ArrayList<>();
            for (int count = 1; count <= 2; count++) {
                int held = count;
                calls.add(CompletableFuture.supplyAsync(
                        () -> gateway.code("echo", HeldProcess.HELD), Thread::startVirtualThread));
                eventually(
                        "the expected number of calls is held",
                        () -> assertThat(server.held()).isEqualTo(held));
            }
            assertThat(gateway.processes()).isEqualTo(processes);
            server.let();
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("done");
            }
        }
    }

    @Test
    @Shows({"server.backup", "server.replicas"})
    void backup_replaces_server_that_does_not_start() {
        String others = "\"two\":{" + Configured.process(OLD) + "}},\"http\":{\"port\":0}}";
        String none = "{\"servers\":{\"one\":{\"command\":\"no-such-command-anywhere\"%s},";
        try (Configured alone = Configured.whole(none.formatted("") + others);
                Configured backed = Configured.whole(none.formatted(",\"backup\":\"two\"") + others);
                Configured shared = Configured.whole("{\"servers\":{\"one\":{\"replicas\":[\"two\"]}," + others)) {
            assertThat(alone.code("echo", "{}")).isEqualTo("connect_failed");
            assertThat(backed.code("echo", "{}")).isEqualTo("done");
            assertThat(shared.code("echo", "{}")).isEqualTo("done");
        }
    }

    @Test
    void replica_group_without_enabled_server_is_reported() {
        String two = "\"two\":{" + Configured.process(OLD) + ",\"disabled\":true},";
        String group = "\"one\":{\"replicas\":[\"two\"]}},\"http\":{\"port\":0}}";
        try (Configured gateway = Configured.whole("{\"servers\":{" + two + group)) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("server_disabled");
            assertThat(gateway.said("echo", "{}")).contains("(two)", "fusebox enable two");
        }
    }

    @Test
    void missing_variable_is_named() {
        try (Configured gateway =
                Configured.of(Configured.process(OLD) + ",\"env\":{\"A\":\"${FUSEBOX_TEST_NOT_SET}\"}", "")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("connect_failed");
            assertThat(gateway.said("echo", "{}")).contains("awaiting_user_config", "FUSEBOX_TEST_NOT_SET");
        }
    }

    @Test
    @Shows("server.timeoutMs")
    void timeout_ms_limits_calls() {
        String slow = "{\"ms\":1500}";
        try (Configured patient = process(OLD, ",\"timeoutMs\":60000");
                Configured hasty = process(OLD, ",\"timeoutMs\":400")) {
            assertThat(patient.code("slow", slow)).isEqualTo("done");
            assertThat(hasty.code("slow", slow)).isEqualTo("timeout");
        }
    }

    @Test
    @Shows("server.connectTimeoutMs")
    void connect_timeout_ms_limits_start() {
        ServerScript mute = OLD.with(FaultKind.HANG_ON_INITIALIZE);
        try (Configured hasty = process(mute, ",\"era\":\"legacy\",\"connectTimeoutMs\":300");
                Configured patient =
                        process(mute, ",\"era\":\"legacy\",\"connectTimeoutMs\":60000,\"timeoutMs\":1500")) {
            assertThat(hasty.call("echo", "{}").json()).contains("\"category\":\"offline\"", "not_sent");
            assertThat(patient.code("echo", "{}")).isEqualTo("timeout");
        }
    }

    @Test
    @Shows("server.tcpConnectTimeoutMs")
    void tcp_connect_timeout_ms_limits_connect() throws Exception {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless());
                FaultProxy line = FaultProxy.to(server.uri().getPort())) {
            line.set(new LineFault.Unanswered());
            String url =
                    "\"url\":\"" + line.through(server.uri()) + "\",\"timeoutMs\":6000,\"era\":\"modern\",\"retry\":"
                            + "{\"maxAttempts\":1},\"tcpConnectTimeoutMs\":";
            try (Configured hasty = Configured.of(url + 100, "");
                    Configured patient = Configured.of(url + 60_000, "")) {
                Duration brief = Configured.time(
                        () -> assertThat(hasty.code("echo", "{}")).isEqualTo("connect_failed"));
                // It says more than the call has, which hears of it all the same.
                Duration whole = Configured.time(
                        () -> assertThat(patient.code("echo", "{}")).isEqualTo("connect_failed"));
                assertThat(brief).isLessThan(whole);
            }
        }
    }

    @Test
    @Shows({"tools.include", "tools.exclude", "tools.rename"})
    void tools_are_filtered_and_renamed() {
        Predicate<String> isTest = name -> name.startsWith("one__test_");
        try (Configured all = process(OLD, "");
                Configured some = process(OLD, ",\"tools\":{\"include\":[\"test_*\",\"echo\"]}");
                Configured others =
                        process(OLD, ",\"tools\":{\"exclude\":[\"test_*\"],\"rename\":{\"echo\":\"repeat\"}}")) {
            assertThat(tools(all)).anyMatch(isTest).contains("one__echo", "one__add");
            assertThat(tools(some)).anyMatch(isTest).contains("one__echo").doesNotContain("one__add");
            assertThat(tools(others))
                    .noneMatch(isTest)
                    .contains("one__repeat", "one__add")
                    .doesNotContain("one__echo");
        }
    }

    // ---- Once more

    /// Each process dies of its second call; the first is behind it.
    private Configured dying(String more) {
        ServerScript script = OLD.withJournal(folder.resolve("journal"))
                .with(ScriptedFault.of(FaultKind.CRASH_BEFORE, 3).at(2));
        Configured gateway = process(script, more);
        assertThat(tools(gateway)).contains("one__fail");
        assertThat(gateway.code("env", "{}")).isEqualTo("done");
        return gateway;
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^^,fail,server_crashed",
                "^,\"retry\":{\"replay\":\"always\"}^,fail,done",
                "^,\"replay\":{\"fail\":\"always\"}^,fail,done",
                "^^,echo,done",
                "^,\"retry\":{\"replay\":\"never\"}^,echo,server_crashed",
                "^,\"replay\":{\"echo\":\"never\"}^,echo,server_crashed",
                "^,\"retry\":{\"maxAttempts\":1}^,echo,server_crashed",
            })
    @Shows({"retry.replay", "server.replay", "retry.maxAttempts"})
    void replay_setting_decides_retry_of_executed_call(String more, String tool, String comesTo) {
        try (Configured gateway = dying(more)) {
            assertThat(gateway.code(tool, "{}")).isEqualTo(comesTo);
        }
    }

    @ParameterizedTest
    @CsvSource({"standard,server_crashed", "vital,done"})
    @Shows("server.criticality")
    void vital_server_gets_another_attempt(String criticality, String second) {
        String always = ",\"retry\":{\"replay\":\"always\"},\"criticality\":\"" + criticality + "\"";
        try (Configured gateway = dying(always)) {
            assertThat(gateway.code("fail", "{}")).isEqualTo("done");
            assertThat(gateway.code("fail", "{}")).isEqualTo(second);
        }
    }

    private static final String NOBODY = "\"url\":\"http://127.0.0.1:1/mcp\",\"era\":\"modern\",\"breaker\":"
            + "{\"failureThreshold\":100000},\"retry\":{\"maxAttempts\":2,";

    @Test
    @Shows("retry.backoffMs")
    void backoff_ms_spaces_attempts() {
        try (Configured gateway = Configured.of(NOBODY + "\"backoffMs\":[3000]}", "");
                Configured hasty = Configured.of(NOBODY + "\"backoffMs\":[1]}", "")) {
            Duration one = quickest(() -> hasty.call("any", "{}"));
            assertThat(Configured.time(() -> gateway.call("any", "{}")))
                    .isGreaterThan(Duration.ofMillis(1500))
                    .isGreaterThan(one);
        }
    }

    @Test
    @Shows("retry.budgetRatio")
    void max_attempts_limits_attempts() {
        int calls = 60;
        try (Configured poor = Configured.of(NOBODY + "\"backoffMs\":[50],\"budgetRatio\":0}", "");
                Configured rich = Configured.of(NOBODY + "\"backoffMs\":[50],\"budgetRatio\":1}", "")) {
            Duration without = quickest(() -> repeat(poor, calls));
            Duration with = Configured.time(() -> repeat(rich, calls));
            // Each further attempt comes after 25 ms at least.
            assertThat(with).isGreaterThan(Duration.ofMillis(25L * calls));
            if (with.compareTo(without) <= 0) {
                // The machine was busier at first.
                assertThat(with).isGreaterThan(quickest(() -> repeat(poor, calls)));
            }
        }
    }

    /// The shortest of three times: a busy machine is late now and then, and not every time.
    private static Duration quickest(Runnable what) {
        return Stream.generate(() -> Configured.time(what))
                .limit(3)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static void repeat(Configured gateway, int calls) {
        for (int i = 0; i < calls; i++) {
            assertThat(gateway.code("any", "{}")).isEqualTo("connect_failed");
        }
    }
}
