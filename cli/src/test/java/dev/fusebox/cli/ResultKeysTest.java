package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The effect of the settings for long results, as a client observes it.
///
/// Over five seconds: each test starts processes, and each process is a JVM.
@Tag("process")
@Timeout(120)
class ResultKeysTest {
    private static final ServerScript SCRIPT = ServerScript.faultless();
    private static final String BIG = "{\"bytes\":5000}";

    @TempDir
    private Path folder;

    private static int shown(Configured gateway) {
        return gateway.said("big", BIG).length();
    }

    private static String rest(Configured gateway) {
        JsonView uri = gateway.call("big", BIG).path("result", "_meta", "fusebox/cut", "uri");
        return Objects.requireNonNull(Objects.requireNonNull(uri).string());
    }

    private static JsonView read(Configured gateway, String uri) {
        return gateway.ask("resources/read", ",\"uri\":" + JsonWriter.quoted(uri), "Mcp-Name", uri);
    }

    private static String text(JsonView read) {
        List<JsonView> contents = Objects.requireNonNull(read.path("result", "contents"), read.json())
                .elements();
        return Objects.requireNonNull(contents.getFirst().string("text"));
    }

    @ParameterizedTest
    @EnumSource
    @Shows("server.maxResultBytes")
    void text_beyond_max_result_bytes_is_cut_and_can_be_read(Era era) {
        String server = Configured.process(SCRIPT.withEra(era));
        try (Configured usual = Configured.of(server + ",\"maxResultBytes\":null", "");
                Configured narrow = Configured.of(server + ",\"maxResultBytes\":2000", "")) {
            assertThat(shown(usual)).isEqualTo(5_000);
            assertThat(shown(narrow)).isEqualTo(2_000);
            assertThat(text(read(narrow, rest(narrow)))).isEqualTo("x".repeat(2_000));
            assertThat(text(read(narrow, rest(narrow).replaceAll("/2$", "/3")))).isEqualTo("x".repeat(1_000));
        }
    }

    @Test
    @Shows("results.maxTokens")
    void result_beyond_max_tokens_is_cut() {
        String server = Configured.process(SCRIPT);
        try (Configured usual = Configured.of(server, ",\"results\":{\"maxTokens\":null}");
                Configured narrow = Configured.of(server, ",\"results\":{\"maxTokens\":1000}")) {
            assertThat(shown(usual)).isEqualTo(5_000);
            JsonView result = Objects.requireNonNull(narrow.call("big", BIG).member("result"));
            assertThat(result.length()).isBetween(3_000, 4_000);
            assertThat(result.json()).contains("results.maxTokens is 1000");
        }
    }

    @Test
    @Shows("results.keepMs")
    void rest_of_result_is_kept_for_keep_time() {
        String server = Configured.process(SCRIPT) + ",\"maxResultBytes\":2000";
        try (Configured usual = Configured.of(server, "");
                Configured brief = Configured.of(server, ",\"results\":{\"keepMs\":1}")) {
            String gone = rest(brief);
            eventually(
                    "the rest is gone",
                    () -> assertThat(read(brief, gone).path("error", "code")).hasToString("-32602"));
            assertThat(text(read(usual, rest(usual)))).hasSize(2_000);
        }
    }

    @Test
    void limits_on_results_are_applied_while_the_gateway_runs() throws IOException {
        Path file = folder.resolve("config.json");
        Files.writeString(file, config("", ""));
        Platform alone = Platform.system().withEnvironment(environment());
        try (Configured gateway = Configured.following(alone, file)) {
            assertThat(shown(gateway)).isEqualTo(5_000);
            assertThat(gateway.ask("resources/templates/list", "").json()).doesNotContain("cut-results");
            Files.writeString(file, config(",\"maxResultBytes\":2000", ""));
            eventually("text is cut", () -> assertThat(shown(gateway)).isEqualTo(2_000));
            assertThat(gateway.ask("resources/templates/list", "").json()).contains("cut-results");
            Files.writeString(file, config("", ",\"results\":{\"maxTokens\":1000}"));
            eventually(
                    "results have few tokens", () -> assertThat(shown(gateway)).isBetween(2_001, 4_000));
            String uri = rest(gateway);
            Files.writeString(file, config("", ""));
            eventually("text is whole again", () -> assertThat(shown(gateway)).isEqualTo(5_000));
            assertThat(text(read(gateway, uri)))
                    .as("what was cut off before is still kept")
                    .isNotEmpty();
        }
    }

    private Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("FUSEBOX_HOME", folder.resolve("home").toString());
        return variables;
    }

    private static String config(String ofServer, String more) {
        return "{\"expose\":\"proxy\",\"mcpServers\":{\"one\":{" + Configured.process(SCRIPT) + ofServer + "}}" + more
                + ",\"http\":{\"port\":0}}";
    }

    // ---- Pass-through

    @ParameterizedTest
    @EnumSource
    void result_of_a_server_that_is_passed_through_is_cut_as_well(Era era) {
        String server = Configured.process(SCRIPT.withEra(era)) + ",\"maxResultBytes\":2000";
        try (Configured gateway = Configured.asItIs(server, "")) {
            JsonView called = gateway.ask("tools/call", ",\"name\":\"big\",\"arguments\":" + BIG, "Mcp-Name", "big");
            String uri =
                    Objects.requireNonNull(Objects.requireNonNull(called.path("result", "_meta", "fusebox/cut", "uri"))
                            .string());
            assertThat(text(read(gateway, uri))).isEqualTo("x".repeat(2_000));
            assertThat(called.json().getBytes(UTF_8)).hasSizeLessThan(4_000);
        }
    }

    @Test
    void result_of_a_task_of_a_server_that_is_passed_through_is_cut_as_well() {
        String able = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
        String server = Configured.process(SCRIPT.withEra(Era.MODERN)) + ",\"maxResultBytes\":2000";
        try (Configured gateway = Configured.asItIs(server, "")) {
            String arguments = "{\"seconds\":1,\"label\":\"" + "x".repeat(5_000) + "\"}";
            JsonView created = gateway.askAs(
                    able,
                    "tools/call",
                    ",\"name\":\"slow_compute\",\"arguments\":" + arguments,
                    "Mcp-Name",
                    "slow_compute");
            JsonView task = Objects.requireNonNull(created.path("result", "taskId"), created.json());
            String id = Objects.requireNonNull(task.string());
            eventually("the result of the task is cut", () -> {
                JsonView state = gateway.askAs(able, "tasks/get", ",\"taskId\":" + task.json(), "Mcp-Name", id);
                assertThat(state.path("result", "result", "_meta", "fusebox/cut", "uri"))
                        .as(state.json())
                        .isNotNull();
                assertThat(state.json().getBytes(UTF_8)).hasSizeLessThan(4_000);
            });
        }
    }
}
