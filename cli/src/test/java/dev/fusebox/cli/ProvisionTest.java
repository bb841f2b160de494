package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Provisioning of servers that are not configured. `npx` is replaced by a program that records its arguments and
/// becomes a real server.
///
/// Over five seconds: each test starts real servers.
@Tag("process")
@Timeout(240)
class ProvisionTest {
    private static final String WEATHER = "weather-server@1.2.3";
    private static final String AUTOMATIC = "\"autoProvision\":true,\"trusted\":[\"" + WEATHER + "\"]";
    private static final String WISH = "{\"intent\":\"weather forecast\",\"autoProvision\":true}";

    @TempDir
    private Path folder = Path.of("");

    private Platform platform = Platform.system();

    @BeforeEach
    void putNpxOnThePath() throws IOException {
        Path npx = folder.resolve("bin/npx");
        Files.createDirectory(npx.resolveSibling(""));
        String server = ScriptedServer.stdio(ServerScript.faultless()).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Files.writeString(
                npx,
                "#!/bin/sh\necho \"$* | ${npm_config_ignore_scripts}\" >> '" + folder + "/starts'\nexec " + server
                        + "\n");
        Files.setPosixFilePermissions(npx, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(platform.environment());
        environment.put("PATH", npx.resolveSibling("") + ":" + environment.get("PATH"));
        platform = platform.withEnvironment(environment);
    }

    private static String entry(String name, String version, String more) {
        return "{\"name\":\"io.github.corp/" + name + "\",\"description\":\"Weather forecasts for every place\","
                + "\"version\":\"" + version + "\",\"packages\":[{\"registryType\":\"npm\",\"identifier\":\"" + name
                + "\",\"version\":\"" + version + "\",\"transport\":{\"type\":\"stdio\"}" + more + "}]}";
    }

    private Path file() {
        return folder.resolve("config.json");
    }

    /// @param provision members of `provision` beside the registry
    private Configured gateway(String provision, String... entries) throws IOException {
        Files.writeString(folder.resolve("registry.json"), "[" + String.join(",", entries) + "]");
        return with("\"registry\":"
                + JsonWriter.quoted(folder.resolve("registry.json").toString()) + "," + provision);
    }

    private Configured with(String provision) throws IOException {
        Files.writeString(file(), """
                {
                  // servers of the team
                  "mcpServers": {
                    "old": { "command": "/nowhere", "disabled": true }, // on holiday
                  },
                  "http": { "port": 0 },
                  "discovery": { "semantic": "off" }, // words are enough here, and quicker
                  "provision": {%s},
                }
                """.formatted(provision));
        return Configured.following(platform, file());
    }

    private static JsonView ask(Configured gateway, String arguments) {
        JsonView answer = gateway.ask(
                "tools/call", ",\"name\":\"mcp_provision\",\"arguments\":" + arguments, "Mcp-Name", "mcp_provision");
        return Objects.requireNonNull(answer.path("result", "structuredContent"), answer::json);
    }

    private static String text(JsonView from, String... path) {
        return Objects.requireNonNull(
                Objects.requireNonNull(from.path(path), from::json).string());
    }

    private static JsonView match(JsonView answer) {
        return Objects.requireNonNull(answer.member("matches")).elements().getFirst();
    }

    private List<String> starts() throws IOException {
        Path starts = folder.resolve("starts");
        return Files.exists(starts) ? Files.readAllLines(starts) : List.of();
    }

    @Test
    void empty_result_waits_for_starting_server() throws IOException {
        String server = ScriptedServer.stdio(ServerScript.faultless()).stream()
                .map(JsonWriter::quoted)
                .collect(Collectors.joining(","));
        Files.writeString(file(), """
                {"mcpServers": {
                  "slow": {"command": "sh", "args": ["-c", "sleep 1; exec \\"$@\\"", "sh", %s]},
                  "mute": {"command": "sleep", "args": ["1000"]}},
                 "http": {"port": 0}, "discovery": {"semantic": "off"}, "provision": {}}
                """.formatted(server));
        try (Configured gateway = Configured.following(platform, file())) {
            JsonView known = ask(gateway, "{\"intent\":\"add two numbers\"}");
            assertThat(text(known, "source")).as(known.json()).isEqualTo("local");
            assertThat(known.json()).contains("\"server\":\"slow\",\"tool\":\"add\"");
            JsonView unknown = ask(gateway, "{\"intent\":\"brew coffee\"}");
            assertThat(text(unknown, "note")).endsWith("the tools of mute are not known yet");
        }
    }

    @Test
    void trusted_server_is_added_and_callable() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            JsonView answer = ask(gateway, WISH);
            assertThat(text(answer, "source")).isEqualTo("registry");
            assertThat(text(answer, "provisioned", "server")).isEqualTo("weather-server");
            assertThat(text(answer, "provisioned", "status")).isEqualTo("online");
            assertThat(Objects.requireNonNull(answer.member("tools")).elements())
                    .extracting(tool -> text(tool, "tool"))
                    .contains("echo", "add");
            JsonView said = gateway.ask(
                    "tools/call",
                    ",\"name\":\"mcp_call\",\"arguments\":{\"server\":\"weather-server\",\"tool\":\"echo\","
                            + "\"args\":{\"text\":\"sunny\"}}",
                    "Mcp-Name",
                    "mcp_call");
            assertThat(said.json()).contains("sunny");
            assertThat(starts()).containsExactly("-y " + WEATHER + " | true");
            assertThat(Files.readString(file()))
                    .contains(
                            "// servers of the team", "// on holiday", "\"weather-server\": {", "\"" + WEATHER + "\"");
        }
    }

    @Test
    void added_server_survives_restart_and_is_not_duplicated() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            ask(gateway, WISH);
            String written = Files.readString(file());
            assertThat(text(ask(gateway, WISH), "provisioned", "server")).isEqualTo("weather-server");
            assertThat(Files.readString(file())).isEqualTo(written);
            assertThat(starts()).hasSize(1);
        }
        try (Configured again = Configured.following(platform, file())) {
            assertThat(again.ask(
                                    "tools/call",
                                    ",\"name\":\"mcp_call\",\"arguments\":{\"server\":\"weather-server\","
                                            + "\"tool\":\"echo\",\"args\":{\"text\":\"cloudy\"}}",
                                    "Mcp-Name",
                                    "mcp_call")
                            .json())
                    .contains("cloudy");
        }
    }

    @Test
    @Shows({"provision.autoProvision", "provision.trusted"})
    void only_trusted_enabled_and_requested_servers_are_added() throws IOException {
        String entry = entry("weather-server", "1.2.3", "");
        for (String provision : List.of(
                "\"trusted\":[\"" + WEATHER + "\"]",
                "\"autoProvision\":true",
                "\"autoProvision\":true,\"trusted\":[\"weather-server@1.2.4\"]")) {
            try (Configured gateway = gateway(provision, entry)) {
                JsonView match = match(ask(gateway, WISH));
                assertThat(text(match, "installCommand")).isEqualTo("./fusebox add weather-server npx -y " + WEATHER);
                assertThat(Objects.requireNonNull(match.member("autoProvisionable"))
                                .isTrue())
                        .isFalse();
            }
        }
        try (Configured gateway = gateway(AUTOMATIC, entry)) {
            JsonView answer = ask(gateway, "{\"intent\":\"weather forecast\"}");
            assertThat(answer.member("provisioned")).isNull();
            assertThat(Objects.requireNonNull(match(answer).member("autoProvisionable"))
                            .isTrue())
                    .isTrue();
        }
        assertThat(starts()).isEmpty();
        assertThat(Files.readString(file())).doesNotContain("npx");
    }

    @Test
    @Shows("provision.registry")
    void missing_registry_finds_nothing() throws IOException {
        try (Configured off = with("")) {
            assertThat(text(ask(off, WISH), "source")).isEqualTo("none");
        }
        try (Configured on = gateway("", entry("weather-server", "1.2.3", ""))) {
            assertThat(text(ask(on, WISH), "source")).isEqualTo("registry");
            assertThat(text(ask(on, "{\"intent\":\"brew a pot of coffee\"}"), "source"))
                    .isEqualTo("none");
        }
    }

    @Test
    void weak_match_is_only_suggested() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            String vague = "{\"intent\":\"weather forecast umbrella\",\"autoProvision\":true}";
            JsonView far = ask(gateway, vague);
            assertThat(far.member("provisioned")).isNull();
            assertThat(text(far, "note")).contains("io.github.corp/weather-server", "confidence of at least 0.5");
            ask(gateway, WISH);
            JsonView near = ask(gateway, "{\"intent\":\"add a beach umbrella\"}");
            assertThat(text(near, "note")).contains("no tool is likely to match; the closest are weather-server/add");
        }
        assertThat(starts()).hasSize(1);
    }

    @Test
    void ambiguous_match_starts_nothing() throws IOException {
        String trusted = "\"autoProvision\":true,\"trusted\":[\"" + WEATHER + "\",\"weather-other@2.0.0\"]";
        try (Configured gateway =
                gateway(trusted, entry("weather-server", "1.2.3", ""), entry("weather-other", "2.0.0", ""))) {
            JsonView answer = ask(gateway, WISH);
            assertThat(answer.member("provisioned")).isNull();
            assertThat(text(answer, "note")).contains("2 servers match");
            assertThat(starts()).isEmpty();
        }
    }

    @Test
    @Shows("provision.trusted")
    void variable_is_passed_only_if_trusted_entry_names_it() throws IOException {
        String key = ",\"environmentVariables\":[{\"name\":\"FORECAST_KEY\",\"isRequired\":true,\"isSecret\":true}]";
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", key))) {
            JsonView answer = ask(gateway, WISH);
            assertThat(answer.member("provisioned")).isNull();
            assertThat(text(match(answer), "note")).contains("FORECAST_KEY", "env");
            assertThat(Files.readString(file())).doesNotContain("npx");
        }
    }

    @Test
    void added_server_reports_missing_variable() throws IOException {
        String key = ",\"environmentVariables\":[{\"name\":\"FORECAST_KEY\",\"isRequired\":true,\"isSecret\":true}]";
        String trusted =
                "\"autoProvision\":true,\"trusted\":[{\"package\":\"" + WEATHER + "\",\"env\":[\"FORECAST_KEY\"]}]";
        try (Configured gateway = gateway(trusted, entry("weather-server", "1.2.3", key))) {
            JsonView answer = ask(gateway, WISH);
            assertThat(text(answer, "provisioned", "status")).isEqualTo("awaiting_user_config");
            assertThat(Objects.requireNonNull(answer.path("provisioned", "missing"))
                            .json())
                    .isEqualTo("[\"FORECAST_KEY\"]");
            assertThat(Files.readString(file())).contains("\"FORECAST_KEY\": \"${FORECAST_KEY}\"");
            assertThat(starts()).isEmpty();
        }
    }

    @Test
    void invalid_file_is_not_changed() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            String broken = Files.readString(file()).replace("\"disabled\": true", "\"disabled\": 7");
            Files.writeString(file(), broken);
            JsonView answer = ask(gateway, WISH);
            assertThat(text(answer, "provisioned", "status")).isEqualTo("error");
            assertThat(text(answer, "provisioned", "statusMessage")).contains("/mcpServers/old/disabled");
            assertThat(Files.readString(file())).isEqualTo(broken);
            assertThat(starts()).isEmpty();
        }
    }

    @Test
    void taken_name_is_not_replaced() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            Files.writeString(file(), Files.readString(file()).replace("\"old\":", "\"weather-server\":"));
            eventually(
                    "the weather server is found",
                    () -> assertThat(gateway.ask(
                                            "tools/call",
                                            ",\"name\":\"mcp_discover\",\"arguments\":{}",
                                            "Mcp-Name",
                                            "mcp_discover")
                                    .json())
                            .contains("\\\"weather-server\\\""));
            assertThat(text(ask(gateway, WISH), "provisioned", "server")).isEqualTo("weather-server-2");
        }
    }

    @Test
    void local_tools_are_found_before_registry() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            ask(gateway, WISH);
            JsonView answer = ask(gateway, "{\"intent\":\"adds two numbers\"}");
            assertThat(text(answer, "source")).isEqualTo("local");
            JsonView first =
                    Objects.requireNonNull(answer.member("tools")).elements().getFirst();
            assertThat(text(first, "tool")).isEqualTo("add");
            assertThat(first.member("inputSchema")).isNotNull();
        }
    }

    @Test
    void too_long_intent_is_rejected() throws IOException {
        try (Configured gateway = gateway(AUTOMATIC, entry("weather-server", "1.2.3", ""))) {
            String answer = gateway.ask(
                            "tools/call",
                            ",\"name\":\"mcp_provision\",\"arguments\":{\"intent\":\"" + "weather ".repeat(100_000)
                                    + "\"}",
                            "Mcp-Name",
                            "mcp_provision")
                    .json();
            assertThat(answer).contains("invalid_arguments");
            assertThat(starts()).isEmpty();
        }
    }
}
