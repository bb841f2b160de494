package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.LogFileWriter;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands `call` and `logs`, with and without a running gateway.
@Tag("process")
@Timeout(120)
class CallCommandTest {
    private final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path home;

    private Platform platform;

    @BeforeEach
    void configure() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        new BrokenSetups(home);
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"small\": {\"command\": \"" + home.resolve("server") + "\"}}}");
    }

    private ExitStatus call(String... words) {
        return new CallCommand(platform).run(List.of(words), output.next());
    }

    private ExitStatus logs(String... words) {
        return new LogsCommand(platform).run(List.of(words), output.next());
    }

    private GatewayCore gateway(String expose) throws Exception {
        if (!(ConfigFile.read(
                        HostEnvironments.of(platform),
                        home.resolve("config.json"),
                        Overrides.NONE.with("--expose", expose))
                instanceof ReadResult.Usable(Configuration read, var warnings))) {
            throw new AssertionError("the configuration is usable");
        }
        return GatewayCore.open(platform, read, CoreOptions.of(ServeMode.TO_MANY));
    }

    @Test
    void tool_is_called_without_running_gateway() {
        assertThat(call("small", "b", "{\"x\": 1}")).isEqualTo(ExitStatus.DONE);
        assertThat(output.out()).isEqualTo("done\n[image, image/png, 4 base64 characters; use --json to print them]\n");
        assertThat(call("small", "b", "{\"sulk\": 1}")).isEqualTo(ExitStatus.FAILED);
        assertThat(output.out()).isEqualTo("not like that\n");
        assertThat(call("small", "bb")).isEqualTo(ExitStatus.FAILED);
        assertThat(output.err()).contains("small has no tool \"bb\"");
        assertThat(call("nobody", "b")).isEqualTo(ExitStatus.FAILED);
        assertThat(home.resolve("run")).doesNotExist();
        assertThat(home.resolve("cache")).isDirectoryContaining("glob:**.json");
    }

    @Test
    void broken_server_refers_to_doctor() throws Exception {
        Path file = home.resolve("other.json");
        Files.writeString(file, "{\"mcpServers\": {\"dead\": {\"command\": \"sh\", \"args\": [\"-c\", \"exit 3\"]}}}");
        assertThat(call("dead/b", "--config", file.toString())).isEqualTo(ExitStatus.FAILED);
        assertThat(output.err()).contains("`./fusebox doctor dead --config " + file + "` diagnoses dead");
    }

    @Test
    void usage_errors_are_reported_before_start() {
        assertThat(call("small")).isEqualTo(ExitStatus.USAGE);
        assertThat(call("small", "b", "[]")).isEqualTo(ExitStatus.USAGE);
        assertThat(output.err()).contains("JSON object");
        assertThat(call("small", "b", "{x}")).isEqualTo(ExitStatus.USAGE);
        assertThat(call("small", "b", "{}", "--timeout", "soon")).isEqualTo(ExitStatus.USAGE);
        assertThat(logs("a", "b")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void call_timeout_is_reported_by_gateway() throws Exception {
        try (GatewayCore gateway = gateway("meta");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            // Then the server runs.
            assertThat(call("small", "b")).isEqualTo(ExitStatus.DONE);
            assertThat(call("small", "b", "{\"sleep\": 1}", "--timeout", "300")).isEqualTo(ExitStatus.FAILED);
            assertThat(output.out()).contains("300 ms").doesNotContain("{\"error\"");
            assertThat(call("small", "b", "{\"sleep\": 1}", "--timeout", "300", "--json"))
                    .isEqualTo(ExitStatus.FAILED);
            assertThat(output.out()).contains("\"code\":\"timeout\"");
            adminSocket.drain();
        }
    }

    @Test
    void running_gateway_makes_call_and_prints_result() throws Exception {
        try (GatewayCore gateway = gateway("meta");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(call("small", "b", "--json")).isEqualTo(ExitStatus.DONE);
            assertThat(output.out()).startsWith("{").contains("\"content\":[{\"type\":\"text\",\"text\":\"done\"}");
            eventually("the log shows one call", () -> {
                logs("small");
                return output.out().contains("[small] called once");
            });
            gateway.logBuffer().write(LogBuffer.OWN, "INFO something changed");
            assertThat(logs()).isEqualTo(ExitStatus.DONE);
            assertThat(output.out()).contains(" INFO something changed\n", "[small] called once\n");
            assertThat(logs("small", "--json")).isEqualTo(ExitStatus.DONE);
            assertThat(output.out())
                    .contains("\"server\":\"small\",\"text\":\"called once\"}")
                    .doesNotContain("changed");
            assertThat(logs("smal")).isEqualTo(ExitStatus.USAGE);
            assertThat(output.err()).contains("did you mean \"small\"?");
            adminSocket.drain();
        }
    }

    private void configure(String how) throws Exception {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"small\": {\"command\": \"" + home.resolve("server") + "\", \"args\": [\"" + how
                        + "\"]}}}");
    }

    private ExitStatus connect() {
        return new GatewayCommands(platform).act("connect", List.of("small"), output.next());
    }

    private ExitStatus doctor(String... words) {
        return new DoctorCommand(platform).run(List.of(words), output.next());
    }

    @Test
    void failed_resource_list_leaves_server_online_with_doctor_warning() throws Exception {
        configure("part");
        try (GatewayCore gateway = gateway("meta");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (int i = 0; i < 2; i++) {
                assertThat(connect()).as(output.err()).isEqualTo(ExitStatus.DONE);
                assertThat(output.out()).contains("small is online");
            }
            assertThat(call("small", "b")).as(output.err()).isEqualTo(ExitStatus.DONE);
            doctor();
            assertThat(output.out())
                    .contains("online in gateway", "1 tool known", "list-failed")
                    .contains("small answers resources/list with an error: no backend");
            doctor("--fresh");
            assertThat(output.out()).contains("list-failed", "answers resources/list with an error: no backend");
            adminSocket.drain();
        }
    }

    /// Far less than the time that a server has to connect and to answer.
    @Test
    @Timeout(60)
    void failed_tool_list_does_not_delay_calls() throws Exception {
        configure("unlisted");
        try (GatewayCore gateway = gateway("proxy");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (int i = 0; i < 2; i++) {
                assertThat(connect()).isEqualTo(ExitStatus.FAILED);
                assertThat(output.err()).contains("small answers tools/list with an error: no backend");
                assertThat(call("small", "b")).isEqualTo(ExitStatus.FAILED);
                assertThat(output.err()).contains("small answers tools/list with an error: no backend");
            }
            adminSocket.drain();
        }
    }

    @Test
    void gateway_of_other_file_is_not_used() throws Exception {
        Path other = Files.writeString(
                home.resolve("other.json"),
                "{\"mcpServers\": {\"elsewhere\": {\"command\": \"" + home.resolve("server") + "\"}}}");
        try (GatewayCore gateway = gateway("meta");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(call("elsewhere", "b", "--config", other.toString())).isEqualTo(ExitStatus.DONE);
            assertThat(output.out()).startsWith("done\n");
            assertThat(call("small", "b", "--config", other.toString())).isEqualTo(ExitStatus.FAILED);
            assertThat(gateway.logBuffer().after(0, "small")).isEmpty();
            adminSocket.drain();
        }
    }

    @Test
    void proxy_mode_gateway_calls_by_exposed_name() throws Exception {
        try (GatewayCore gateway = gateway("proxy");
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(call("small", "b", "{}")).isEqualTo(ExitStatus.DONE);
            assertThat(output.out()).startsWith("done\n");
            assertThat(call("small", "bb")).isEqualTo(ExitStatus.FAILED);
            assertThat(output.err()).contains("small has no tool \"bb\"");
            adminSocket.drain();
        }
    }

    @Test
    void log_of_ended_gateway_is_shown() throws Exception {
        assertThat(logs()).isEqualTo(ExitStatus.FAILED);
        assertThat(output.err()).contains("there is no log");
        LogBuffer logBuffer = new LogBuffer(platform.wallClock());
        try (LogFileWriter files =
                LogFileWriter.in(platform, GatewayHome.logFolder(platform), line -> line.replace("secret", "***"))) {
            logBuffer.copyTo(entry -> files.write(entry.toString()));
            logBuffer.write(LogBuffer.OWN, "WARN about jira");
            logBuffer.write("jira", "no token, secret");
            logBuffer.copyTo(entry -> {});
        }
        logBuffer.write("jira", "too late to be kept");
        assertThat(logs()).isEqualTo(ExitStatus.DONE);
        assertThat(output.out())
                .contains(" WARN about jira\n", " [jira] no token, ***\n")
                .doesNotContain("too late", "secret");
        assertThat(output.err())
                .contains(
                        "showing the log of gateway " + ProcessHandle.current().pid());
        assertThat(logs("jira")).isEqualTo(ExitStatus.DONE);
        assertThat(output.out()).contains("no token").doesNotContain("WARN");
        assertThat(logs("--follow")).isEqualTo(ExitStatus.USAGE);
        String pid = Long.toString(ProcessHandle.current().pid());
        assertThat(logs("--gateway", pid)).isEqualTo(ExitStatus.DONE);
        assertThat(output.out()).contains("no token");
        assertThat(logs("--gateway", "1")).isEqualTo(ExitStatus.FAILED);
    }
}
