package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands `tools SERVER/TOOL` and `call SERVER/TOOL KEY=VALUE`, with a gateway that runs and without.
///
/// Over five seconds: without a gateway each call starts the server.
@Tag("process")
@Timeout(120)
class ToolArgumentsTest {
    /// Answers with the arguments that it got.
    private static final String WIDE = "well/json_schema_2020_12_tool";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform;
    private String input = "";

    @BeforeEach
    void configure() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        String server = Configured.process(ServerScript.faultless().withEra(Era.LEGACY));
        Files.writeString(
                home.resolve("config.json"), "{\"mcpServers\": {\"well\": {" + server + ", \"era\": \"legacy\"}}}");
    }

    private ExitStatus run(String... words) {
        out.reset();
        err.reset();
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        List<String> rest = List.of(words).subList(1, words.length);
        return words[0].equals("call")
                ? new CallCommand(platform, new ByteArrayInputStream(input.getBytes(UTF_8))).run(rest, output)
                : new GatewayCommands(platform).tools(rest, output);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }

    private GatewayCore gateway() throws Exception {
        if (!(ConfigFile.read(
                        HostEnvironments.of(platform),
                        home.resolve("config.json"),
                        Overrides.NONE.with("--expose", "meta"))
                instanceof ReadResult.Usable(Configuration read, var _))) {
            throw new AssertionError("the configuration is usable");
        }
        return GatewayCore.open(platform, read, CoreOptions.of(ServeMode.TO_MANY));
    }

    /// The line below the heading, as a shell would split it: none of these words has a blank.
    private String[] example() {
        String line = out().split("Example\n", 2)[1].strip();
        assertThat(line).startsWith("./fusebox call well/");
        return line.substring("./fusebox ".length()).replace("'", "").split(" ", -1);
    }

    private void callsAndPages() {
        assertThat(run("call", "well/add", "a=2", "b=3")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("{\"sum\":5}");
        assertThat(run("call", WIDE, "name=01234", "address={\"city\":\"Rome\"}", "contactMethod=phone", "phone=5"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .contains("called with {\"name\":\"01234\",\"address\":{\"city\":\"Rome\"},"
                        + "\"contactMethod\":\"phone\",\"phone\":\"5\"}");
        assertThat(run("call", "well/add", "a=two", "b=3")).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("\"a\" must be an integer, found \"two\"");
        assertThat(run("call", "well/ad", "a=2")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("well has no tool \"ad\"; did you mean \"add\"?");
        assertThat(run("call", "wel/add", "a=2")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("unknown server wel; did you mean \"well\"?");
        input = "{\"a\": 20, \"b\": 22}";
        assertThat(run("call", "well/add", "-")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("{\"sum\":42}");
        assertThat(run("call", "well", "add", "{\"a\": 1, \"b\": 1}")).isEqualTo(ExitStatus.DONE);

        assertThat(run("call", "well__add", "a=2", "b=3")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("{\"sum\":5}");
        assertThat(run("call", "well__add", "{\"a\": 1, \"b\": 1}")).isEqualTo(ExitStatus.DONE);
        assertThat(run("call", "well__add", "-")).isEqualTo(ExitStatus.DONE);
        assertThat(run("call", "well__ad", "a=2")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("well has no tool \"ad\"; did you mean \"add\"?");
        assertThat(run("call", "wel__add", "a=2")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("unknown tool \"wel__add\"; did you mean \"well__add\"?");
        assertThat(run("tools", "well__add")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("well/add", "  a     integer  yes", "./fusebox call well/add a=1 b=1");
        assertThat(run("tools", "well__ad")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("well has no tool \"ad\"; did you mean \"add\"?");

        assertThat(run("tools", "well/add")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("well/add", "  a     integer  yes", "./fusebox call well/add a=1 b=1");
        assertThat(run(example())).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("{\"sum\":2}");
        assertThat(run("tools", "well/ad")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("did you mean \"add\"?");
        assertThat(run("tools", "wel/add")).isEqualTo(ExitStatus.FAILED);
        assertThat(err()).contains("unknown server wel; did you mean \"well\"?");
    }

    @Test
    void tool_is_shown_and_called_without_gateway() {
        callsAndPages();

        assertThat(run("tools", "well/add", "--json")).isEqualTo(ExitStatus.DONE);
        JsonView tool = Objects.requireNonNull(JsonView.of(out()).member("tools"))
                .elements()
                .getFirst();
        assertThat(tool.path("definition", "inputSchema", "properties", "a", "type"))
                .hasToString("\"integer\"");
        assertThat(run("tools", "answers")).isEqualTo(ExitStatus.DONE);
        assertThat(err()).contains(" best matches; `./fusebox tools` lists all tools");
    }

    @Test
    void server_with_unknown_tools_is_reported_with_remedy() throws Exception {
        String config = Files.readString(home.resolve("config.json"));
        Files.writeString(
                home.resolve("config.json"),
                config.replaceFirst("\\{\"well\"", "{\"ill\": {\"command\": \"/nowhere/ill\"}, \"well\""));

        assertThat(run("tools", "ill/add")).isEqualTo(ExitStatus.FAILED);
        assertThat(err())
                .contains("the tools of ill are not known; `./fusebox doctor ill")
                .contains("diagnoses it");
        assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("well__add");
        assertThat(err()).contains("servers with unknown tools: ill; `./fusebox doctor");
        assertThat(run("tools", "zyzzyva")).isEqualTo(ExitStatus.DONE);
        assertThat(err()).contains("no known tool matches", "unknown tools: ill");
    }

    @Test
    void running_gateway_shows_and_calls_tool() throws Exception {
        try (GatewayCore backend = gateway();
                AdminSocket adminSocket = AdminSocket.open(platform, backend)) {
            callsAndPages();

            assertThat(run("tools", "well/add", "--json")).isEqualTo(ExitStatus.DONE);
            JsonView gateway = Objects.requireNonNull(JsonView.of(out()).member("gateways"))
                    .elements()
                    .getFirst();
            JsonView tool =
                    Objects.requireNonNull(gateway.member("tools")).elements().getFirst();
            assertThat(tool.path("definition", "outputSchema", "properties", "sum", "type"))
                    .hasToString("\"integer\"");
            assertThat(run("tools", "answers")).isEqualTo(ExitStatus.DONE);
            assertThat(err()).contains(" best matches; `./fusebox tools` lists all tools");
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(err()).doesNotContain("best matches");
            assertThat(run("tools", "zyzzyva")).isEqualTo(ExitStatus.DONE);
            assertThat(err()).contains("no known tool matches");
            adminSocket.drain();
        }
    }

    @Test
    void running_gateway_reports_servers_without_tool_list() throws Exception {
        String config = Files.readString(home.resolve("config.json"));
        Files.writeString(
                home.resolve("config.json"),
                config.replaceFirst("\\{\"well\"", "{\"ill\": {\"command\": \"/nowhere/ill\"}, \"well\""));
        try (GatewayCore backend = gateway();
                AdminSocket adminSocket = AdminSocket.open(platform, backend)) {
            assertThat(run("tools")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("well__add");
            assertThat(err())
                    .contains("these servers have not listed their tools: ill (")
                    .contains("`./fusebox status` shows why");
            adminSocket.drain();
        }
    }
}
