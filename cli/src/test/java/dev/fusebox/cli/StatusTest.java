package dev.fusebox.cli;

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
import dev.fusebox.gateway.observe.ConfigEvent;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The additional information of `status`.
@Tag("process")
@Timeout(120)
class StatusTest {
    private static final String WELL =
            Configured.process(ServerScript.faultless().withEra(Era.LEGACY));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform;
    private GatewayCore gateway;

    @BeforeEach
    void open() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        Path file = Files.writeString(
                home.resolve("config.json"), "{\"mcpServers\": {\"well\": {" + WELL + ", \"era\": \"legacy\"}}}");
        if (!(ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE)
                instanceof ReadResult.Usable(Configuration read, var warnings))) {
            throw new AssertionError("the configuration is usable");
        }
        gateway = GatewayCore.open(platform, read, CoreOptions.of(ServeMode.TO_MANY));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private CommandOutput output() {
        PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new CommandOutput(to, to, false);
    }

    private void status(String... words) {
        out.reset();
        new GatewayCommands(platform).status(List.of(words), output());
    }

    private void list() {
        out.reset();
        new GatewayCommands(platform).list(List.of(), output());
    }

    private ExitStatus steer(String... words) {
        return new GatewayCommands(platform).breaker(List.of(words), CommandOutput.discarding());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void open_tool_breaker_is_shown_below_healthy_server() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(new CallCommand(platform).run(List.of("well", "echo", "{}"), CommandOutput.discarding()))
                    .isEqualTo(ExitStatus.DONE);
            assertThat(steer("open", "well/echo", "--reason", "dear")).isEqualTo(ExitStatus.DONE);
            status();
            assertThat(out())
                    .contains("    echo: breaker forced-open (dear) until `./fusebox breaker reset ")
                    .contains("reset well/echo`");
            list();
            assertThat(out()).doesNotContain("echo");
            assertThat(steer("reset", "well/echo")).isEqualTo(ExitStatus.DONE);
            status("--json");
            assertThat(out()).contains("\"toolBreakers\":[]").doesNotContain("\"echo\"");
            adminSocket.drain();
        }
    }

    /// The wall clock's part in a time moves a little whenever it is asked for.
    @Test
    void retry_time_is_shown_in_seconds_and_only_in_future() {
        Set<String> seen = new HashSet<>();
        for (String nanos : List.of("588994145", "588994134", "589002416")) {
            out.reset();
            ServerTable.printBreaker(
                    JsonView.of("{\"name\":\"jira\",\"state\":\"open\",\"failureCount\":5,\"probeDue\":false,"
                            + "\"retryAt\":\"2026-11-22T21:31:51." + nanos + "Z\"}"),
                    output());
            seen.add(out());
        }
        assertThat(seen).containsExactly("jira  open, 5 failures, retry at 2026-11-22T21:31:52Z\n");
        out.reset();
        ServerTable.printBreaker(
                JsonView.of("{\"name\":\"jira\",\"state\":\"open\",\"failureCount\":5,\"probeDue\":true,"
                        + "\"retryAt\":\"2026-11-22T21:31:51Z\"}"),
                output());
        assertThat(out()).isEqualTo("jira  open, 5 failures, the next call is a probe\n");
    }

    @Test
    void unapplied_file_is_reported_until_applied() {
        gateway.publish(new ConfigEvent.Rejected(List.of("config.json:3:7: is no JSON")));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            status();
            assertThat(out()).contains("  configuration change not applied: config.json:3:7: is no JSON");
            status("--json");
            assertThat(out()).contains("\"configProblems\":[\"config.json:3:7: is no JSON\"]");
            gateway.publish(new ConfigEvent.Applied(List.of(), List.of(), List.of(), List.of(), "no changes"));
            status();
            assertThat(out()).doesNotContain("not applied");
            adminSocket.drain();
        }
    }
}
