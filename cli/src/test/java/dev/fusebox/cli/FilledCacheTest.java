package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that start servers fill the cache for the next gateway, and upgraded servers are read anew.
@Tag("process")
@Timeout(120)
class FilledCacheTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CommandOutput output =
            new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(out, true, UTF_8), false);

    @TempDir
    private Path home;

    private Path config = Path.of("");
    private Platform platform = Platform.system();

    @BeforeEach
    void configure() throws IOException {
        config = home.resolve("config.json");
        platform = Platform.system()
                .withEnvironment(Map.of(
                        "HOME", home.toString(),
                        "FUSEBOX_HOME", home.toString(),
                        "PATH", System.getenv("PATH")));
    }

    /// A server that notes its starts and has one tool. Its script is the file that an upgrade replaces.
    private void install(String tool) throws IOException {
        String others = """
                    *'"server/discover"'*) [ -z "$FRAIL" ] || exit 1 ;;
                    *'"tools/call"'*) answer='"result":{"content":[{"type":"text","text":"done"}]}' ;;
                """;
        Files.writeString(
                home.resolve("server.sh"), "echo start >> \"$0.starts\"\n" + ShellServer.script(tool, others));
    }

    private int starts() throws IOException {
        Path starts = home.resolve("server.sh.starts");
        return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
    }

    private int startsNow() {
        try {
            return starts();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// @param more members of the server, each with a comma in front
    private void configure(String more) throws IOException {
        Files.writeString(
                config,
                "{\"mcpServers\":{\"one\":{\"command\":\"sh\",\"args\":[\"" + home.resolve("server.sh") + "\"]" + more
                        + "}}}");
    }

    private ExitStatus run(String command) throws IOException {
        return switch (command) {
            case "doctor" -> new DoctorCommand(platform).run(List.of("--config", config.toString()), output);
            case "call" ->
                new CallCommand(platform).run(List.of("--config", config.toString(), "one", "first"), output);
            case "tools" -> new GatewayCommands(platform).tools(List.of(), output);
            default -> imported();
        };
    }

    private ExitStatus imported() throws IOException {
        Path theirs = Files.createDirectories(home.resolve(".cursor")).resolve("mcp.json");
        Files.move(config, theirs);
        return new ImportCommand(platform, (file, servers, on) -> CacheFiller.ofImported(platform, file, servers, on))
                .run(List.of("--yes", "--config", config.toString()), output);
    }

    private String said() {
        return out.toString(UTF_8);
    }

    /// A gateway over HTTP, and its client.
    private final class StartedGateway implements AutoCloseable {
        private final SchemaCache cache;
        private final GatewayCore backend;
        private final McpHttpFront front;
        private final LocalClient client;

        StartedGateway() throws IOException, GatewayException {
            ReadResult readResult =
                    ConfigFile.read(HostEnvironments.of(platform), config, Overrides.NONE.with("--expose", "proxy"));
            if (!(readResult instanceof ReadResult.Usable(Configuration configuration, var _))) {
                throw new AssertionError(readResult.problems());
            }
            cache = GatewayHome.schemaCache(platform, config);
            backend = GatewayCore.open(
                    platform, configuration, CoreOptions.of(ServeMode.TO_MANY).with(PersistentState.listsIn(cache)));
            front = McpHttpFront.open(platform, HttpSettings.loopback(0), backend.service(), SecretIds.system());
            client = new LocalClient(platform, front.port());
            client.ask("initialize", """
                    {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}""");
            client.tell("notifications/initialized");
        }

        List<String> tools() {
            try {
                JsonView tools =
                        Objects.requireNonNull(client.ask("tools/list", "{}").path("result", "tools"));
                return tools.elements().stream()
                        .map(tool -> Objects.requireNonNull(tool.string("name")))
                        .toList();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        String call(String tool) throws IOException {
            return client.ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}")
                    .json();
        }

        boolean isIdle() {
            return backend.children().live().isEmpty();
        }

        @Override
        public void close() {
            client.close();
            try {
                front.close(Duration.ofSeconds(1));
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            } finally {
                backend.close();
                cache.close();
            }
        }
    }

    // ---- Commands

    @ParameterizedTest
    @ValueSource(strings = {"doctor", "call", "tools", "import"})
    void command_fills_cache_for_first_list(String command) throws Exception {
        install("first");
        configure(",\"env\":{\"FRAIL\":\"yes\"}");
        assertThat(run(command)).as(said()).isEqualTo(ExitStatus.DONE);
        int before = starts();
        assertThat(before).isPositive();
        try (StartedGateway gateway = new StartedGateway()) {
            assertThat(gateway.tools()).containsExactly("one__first");
            assertThat(gateway.isIdle()).isTrue();
            assertThat(starts()).isEqualTo(before);
            assertThat(gateway.call("one__first")).contains("done");
            assertThat(starts()).as("the era is known").isEqualTo(before + 1);
        }
    }

    @Test
    void cached_server_is_not_started_again() throws Exception {
        install("first");
        configure("");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(starts()).isEqualTo(1);
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(starts()).isEqualTo(1);
        assertThat(run("doctor")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(starts()).as("started for the examination only").isEqualTo(2);
    }

    private Path cached() throws IOException {
        try (var files = Files.list(home.resolve("cache"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"server\":\"one\",\"too", "no JSON", "[[[[[[[["})
    void damaged_cache_is_rebuilt(String damaged) throws Exception {
        install("first");
        configure("");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        String good = Files.readString(cached());
        Files.writeString(cached(), damaged);
        out.reset();
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("one__first");
        assertThat(Files.readString(cached())).hasSameSizeAs(good);
        assertThat(starts()).isEqualTo(2);
    }

    @Test
    void tools_are_shown_without_writable_cache() throws Exception {
        install("first");
        configure("");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        Path file = cached();
        Files.delete(file);
        Files.createFile(Files.createDirectory(file).resolve("in the way"));
        out.reset();
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("one__first");
    }

    @Test
    void tools_of_running_gateway_are_complete_at_first_request() throws Exception {
        install("first");
        Files.writeString(home.resolve("slow.sh"), "sleep 2; exec sh '" + home.resolve("server.sh") + "'");
        Files.writeString(
                config,
                "{\"mcpServers\":{\"one\":{\"command\":\"sh\",\"args\":[\"" + home.resolve("slow.sh") + "\"]}}}");
        try (StartedGateway gateway = new StartedGateway();
                AdminSocket adminSocket = AdminSocket.open(platform, gateway.backend)) {
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(said()).contains("one__first").doesNotContain("not listed yet");
            adminSocket.drain();
        }
    }

    @Test
    void first_list_wait_limits_wait_for_silent_server() throws Exception {
        Files.writeString(
                config,
                "{\"mcpServers\":{\"mute\":{\"command\":\"sleep\",\"args\":[\"1000\"]}},"
                        + "\"discovery\":{\"firstListWaitMs\":1500}}");
        try (StartedGateway gateway = new StartedGateway();
                AdminSocket adminSocket = AdminSocket.open(platform, gateway.backend)) {
            long begun = platform.ticker().nanos();
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(Duration.ofNanos(platform.ticker().nanos() - begun))
                    .isBetween(Duration.ofMillis(1_400), Duration.ofSeconds(20));
            adminSocket.drain();
        }
    }

    @Test
    void download_gets_longer_than_first_list_wait() throws Exception {
        install("first");
        Path runner = home.resolve("npx");
        Disk.write(runner, "#!/bin/sh\nsleep 2; exec sh '" + home.resolve("server.sh") + "'\n", true);
        Files.writeString(
                config,
                "{\"mcpServers\":{\"one\":{\"command\":\"" + runner + "\"}},"
                        + "\"discovery\":{\"firstListWaitMs\":500}}");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("one__first");
    }

    @Test
    void imported_server_without_tool_list_is_reported() throws Exception {
        Files.writeString(config, "{\"mcpServers\":{\"ill\":{\"command\":\"/nowhere/ill\"}}}");
        assertThat(run("import")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("these servers have not listed their tools: ill; `./fusebox doctor");
    }

    // ---- Upgrades

    @Test
    void upgraded_server_shows_new_tools_in_next_run() throws Exception {
        install("first");
        configure("");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        install("second_edition");
        try (StartedGateway gateway = new StartedGateway()) {
            assertThat(gateway.tools()).containsExactly("one__first");
            eventually("the new tool is listed", () -> gateway.tools().equals(List.of("one__second_edition")));
            eventually("the process has ended", gateway::isIdle);
            assertThat(starts()).isEqualTo(2);
        }
        try (StartedGateway gateway = new StartedGateway()) {
            assertThat(gateway.tools()).containsExactly("one__second_edition");
            throughout("nothing is started", Duration.ofMillis(2_500), gateway::isIdle);
            assertThat(starts()).isEqualTo(2);
        }
    }

    @Test
    void changed_variable_refreshes_tool_list_once() throws Exception {
        install("first");
        configure(",\"env\":{\"LEVEL\":\"1\"}");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        configure(",\"env\":{\"LEVEL\":\"2\"}");
        try (StartedGateway gateway = new StartedGateway()) {
            assertThat(gateway.tools()).containsExactly("one__first");
            eventually("it was started again", () -> startsNow() == 2);
            eventually("the process has ended", gateway::isIdle);
        }
        try (StartedGateway gateway = new StartedGateway()) {
            assertThat(gateway.tools()).containsExactly("one__first");
            throughout("nothing is started", Duration.ofMillis(2_500), gateway::isIdle);
        }
        assertThat(starts()).isEqualTo(2);
    }
}
