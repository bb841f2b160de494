package dev.fusebox.cli;

import static dev.fusebox.cli.DoctorWarnings.warnings;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command `doctor` with a running gateway.
@Tag("process")
@Timeout(120)
class DoctorCommandLiveTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform;
    private GatewayCore gateway;

    @BeforeEach
    void open() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        new BrokenSetups(home);
        // A line for each process of the server that starts.
        Disk.write(home.resolve("counted"), "#!/bin/sh\necho >>" + home + "/starts\nexec " + home + "/server\n", true);
        Path file = Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"well\": {\"command\": \"" + home.resolve("counted")
                        + "\", \"era\": \"legacy\"}}}");
        gateway = serve(file, ServeMode.TO_MANY);
    }

    private GatewayCore serve(Path file, ServeMode serveMode) throws Exception {
        Overrides overrides = serveMode.isPassThrough() ? Overrides.NONE.with("--expose", "proxy") : Overrides.NONE;
        if (!(ConfigFile.read(HostEnvironments.of(platform), file, overrides)
                instanceof ReadResult.Usable(Configuration read, var warnings))) {
            throw new AssertionError("the configuration is usable");
        }
        return GatewayCore.open(platform, read, CoreOptions.of(serveMode));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private ExitStatus run(String... words) {
        out.reset();
        PrintStream to = new PrintStream(out, true, UTF_8);
        return new DoctorCommand(platform).run(List.of(words), new CommandOutput(to, to, false));
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private long starts() throws Exception {
        return Files.readString(home.resolve("starts")).lines().count();
    }

    @Test
    void running_server_is_checked_through_gateway_without_second_process() throws Exception {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("  ✓ gateway: online in gateway "
                            + ProcessHandle.current().pid())
                    .contains(
                            "      breaker closed, 0 failures",
                            "      process running",
                            "      failures so far: 0 connecting, 0 during calls, 0 pings, 0 responses",
                            "  ✓ tools: 1 tool known")
                    // The size of the pool follows the memory of the machine.
                    .containsPattern("      pool processes: 1 of \\d+ connections in use, 1 of them by this server,")
                    .containsPattern("  ✓ round-trip: answered through the gateway in \\d+\\.\\d ms \\(median of 3\\)")
                    .endsWith("✓ all 1 server(s) healthy\n");
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(starts()).isEqualTo(1);
            assertThat(run("--fresh")).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("  ✓ handshake: ");
            assertThat(starts())
                    .as("examined once, and listed once for the cache")
                    .isEqualTo(3);
            adminSocket.drain();
        }
    }

    @Test
    void file_of_running_gateway_is_checked_unless_other_is_named() throws Exception {
        Path mine = home.resolve("config.json");
        Path other = Files.copy(mine, home.resolve("other.json"));
        gateway.setSource(other);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run("--config", mine.toString())).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("  ✓ handshake: ").doesNotContain("in gateway");
            assertThat(warnings(out())).isEmpty();
            assertThat(run("--config", other.toString())).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("  ✓ gateway: online in gateway ");
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("fusebox: using " + other + ", which gateway " + gateway() + " uses\n")
                    .contains("  ✓ gateway: online in gateway ");
            Files.delete(mine);
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("  ✓ gateway: online in gateway ");
            adminSocket.drain();
        }
    }

    private static long gateway() {
        return ProcessHandle.current().pid();
    }

    @Test
    void project_file_of_gateway_is_checked_only_if_allowed() throws Exception {
        Path project = Files.createDirectory(home.resolve("project")).resolve(".mcp.json");
        Files.copy(home.resolve("config.json"), project);
        gateway.setSource(project);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("fusebox: using " + home.resolve("config.json") + "\n")
                    .contains("  ⚠ gateway: no running gateway uses " + home.resolve("config.json"))
                    .contains("→ `./fusebox doctor --config " + project + "` checks the file that gateway " + gateway()
                            + " uses\n");
            adminSocket.drain();
        }
    }

    @Test
    void server_without_gateway_connection_is_checked_directly() throws Exception {
        gateway.close();
        Disk.write(
                home.resolve("refusing"),
                "#!/bin/sh\necho >>" + home + "/starts\nexec " + home + "/server refuse\n",
                true);
        Path file = Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"sick\": {\"command\": \"" + home.resolve("refusing")
                        + "\", \"era\": \"legacy\"}}}");
        gateway = serve(file, ServeMode.TO_MANY);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run()).isEqualTo(ExitStatus.FAILED);
            assertThat(out())
                    .contains("  ✗ gateway: error in gateway ", "  ✗ handshake: the server rejected initialize")
                    .contains(
                            "  1. sick: the server rejected initialize", "or set \"era\" to the era that it supports\n")
                    .contains("    → `./fusebox connect sick` retries at once, when the cause is fixed\n\n✗ 1 of 1 ");
            eventually(
                    "the refused process has ended",
                    () -> assertThat(gateway.children().live()).isEmpty());
            new GatewayCommands(platform)
                    .breaker(List.of("open", "sick", "--reason", "new disks"), CommandOutput.discarding());
            long before = starts();
            assertThat(run()).isEqualTo(ExitStatus.FAILED);
            assertThat(out()).doesNotContain("handshake: ");
            assertThat(starts()).as("an operator keeps it from calls").isEqualTo(before);
            adminSocket.drain();
        }
    }

    @Test
    void variable_set_after_gateway_start_is_reported() throws Exception {
        gateway.close();
        Path file = Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"late\": {\"command\": \"" + home.resolve("counted")
                        + "\", \"env\": {\"T\": \"${SET_LATER}\"}}}}");
        gateway = serve(file, ServeMode.TO_MANY);
        Platform later = Platform.system()
                .withEnvironment(Map.of(
                        "FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH"), "SET_LATER", "some value"));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            for (String way : List.of("--fix", "--fresh")) {
                out.reset();
                PrintStream to = new PrintStream(out, true, UTF_8);
                new DoctorCommand(later).run(List.of("late", way), new CommandOutput(to, to, false));
                assertThat(out())
                        .as(way)
                        .contains(
                                "[variable-missing]",
                                "a gateway reads environment variables at startup",
                                "gateway " + gateway());
            }
            assertThat(out()).contains("  ✓ handshake: ");
            adminSocket.drain();
        }
    }

    // ---- Commands that change a file

    private ExitStatus disable(String... words) {
        out.reset();
        PrintStream to = new PrintStream(out, true, UTF_8);
        return new EditCommands(platform).turn("disable", List.of(words), new CommandOutput(to, to, false));
    }

    private ExitStatus add(String... words) {
        out.reset();
        PrintStream to = new PrintStream(out, true, UTF_8);
        return new EditCommands(platform).add(List.of(words), new CommandOutput(to, to, false));
    }

    @Test
    void commands_without_file_edit_file_of_running_gateway() throws Exception {
        Path mine = home.resolve("config.json");
        Path other = Files.copy(mine, home.resolve("its own.json"));
        String before = Files.readString(mine);
        gateway.setSource(other);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(disable("well")).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains(other + ": disabled well\n")
                    .contains("fusebox: gateway " + gateway() + " uses this file; `./fusebox disable --config " + mine
                            + " well` changes " + mine + "\n");
            assertThat(add("more", "cat", "--config", "x")).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains(other + ": added more\n")
                    .contains("`./fusebox add --config " + mine + " more cat --config x` changes " + mine);
            assertThat(mine).hasContent(before);
            assertThat(Files.readString(other)).contains("\"disabled\": true", "\"more\"");
            adminSocket.drain();
        }
    }

    @Test
    void edit_that_no_gateway_reads_is_reported_with_command() throws Exception {
        Path mine = home.resolve("config.json");
        Path other = Files.copy(mine, home.resolve("its own.json"));
        Files.writeString(mine, "{\"mcpServers\": {\"mine\": {\"command\": \"cat\"}}}");
        gateway.setSource(other);
        String quoted = "'" + other + "'";
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(disable("mine")).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains(mine + ": disabled mine\n")
                    .contains("fusebox: no running gateway uses this file; gateway " + gateway() + " uses " + other
                            + "\n");
            assertThat(add("--config", mine.toString(), "more", "cat", "--config", "x"))
                    .isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("no running gateway uses this file; gateway " + gateway() + " uses " + other
                            + ", and `./fusebox add --config " + quoted + " more cat --config x` changes " + other
                            + "\n");
            assertThat(add(
                            "--config",
                            mine.toString(),
                            "--env",
                            "API_TOKEN=aG9sZGluZ2EgbG9uZyBzZWNyZXQ",
                            "secret",
                            "cat"))
                    .isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("no running gateway uses this file")
                    .doesNotContain("aG9sZGluZ2EgbG9uZyBzZWNyZXQ");
            assertThat(disable("--config", mine.toString(), "well")).isEqualTo(ExitStatus.USAGE);
            assertThat(out())
                    .contains("; gateway " + gateway() + " uses " + other + ", which `./fusebox disable well"
                            + " --config " + quoted + "` changes\n");
            adminSocket.drain();
        }
    }

    @Test
    void project_file_of_gateway_is_edited_only_if_named() throws Exception {
        Path mine = home.resolve("config.json");
        Path project = Files.createDirectory(home.resolve("project")).resolve(".mcp.json");
        String before = Files.readString(Files.copy(mine, project));
        gateway.setSource(project);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(add("more", "cat")).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains(mine + ": added more\n")
                    .contains("`./fusebox add --config " + project + " more cat` changes " + project);
            assertThat(project).hasContent(before);
            adminSocket.drain();
        }
    }

    // ---- Other states of a server

    @Test
    void gateway_without_ping_support_is_no_failure() throws Exception {
        gateway.close();
        gateway = serve(home.resolve("config.json"), new ServeMode(true, GatewayClients.MANY));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run()).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("  ✓ round-trip: not measured: this gateway cannot ping the server\n")
                    .endsWith("✓ all 1 server(s) healthy\n");
            adminSocket.drain();
        }
    }

    @Test
    void busy_server_is_not_pinged_and_healthy() throws Exception {
        HeldProcess server = new HeldProcess(home.resolve("note"));
        Path file = Files.writeString(
                home.resolve("busy.json"),
                "{\"mcpServers\": {\"well\": {"
                        + server.members(ServerScript.faultless().withEra(Era.LEGACY)) + ", \"timeoutMs\": 30000}}}");
        gateway.close();
        gateway = serve(file, ServeMode.TO_MANY);
        Files.copy(file, home.resolve("config.json"), StandardCopyOption.REPLACE_EXISTING);
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            Future<ExitStatus> call = CompletableFuture.supplyAsync(this::calledForLong, Thread::startVirtualThread);
            eventually("a call is held", () -> assertThat(server.held()).isGreaterThan(0));
            long before = server.count("\"ping\"");
            assertThat(run()).as(out()).isEqualTo(ExitStatus.DONE);
            assertThat(out())
                    .contains("  ✓ round-trip: not measured: the server is busy with a call\n")
                    .endsWith("✓ all 1 server(s) healthy\n");
            assertThat(server.count("\"ping\"")).isEqualTo(before);
            server.let();
            assertThat(call.get()).isEqualTo(ExitStatus.DONE);
            adminSocket.drain();
        }
    }

    private ExitStatus calledForLong() {
        return new CallCommand(platform).run(List.of("well", "echo", HeldProcess.HELD), CommandOutput.discarding());
    }

    @Test
    void crashed_server_is_reported_with_failures_and_restarts() throws Exception {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            gateway.children()
                    .live()
                    .forEach(child -> ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly));
            eventually("one call in flight and one restart are shown", () -> {
                run();
                return out().contains("0 connecting, 1 during calls") && out().contains("1 restart");
            });
            adminSocket.drain();
        }
    }

    @Test
    void findings_about_the_machine_have_headings_that_no_server_has() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            run();
            assertThat(out())
                    .contains("  ✓ state folder: ")
                    .doesNotContain("✓ files: ", "✓ memory: ", "⚠ files: ", "⚠ memory: ");
            adminSocket.drain();
        }
    }

    @Test
    void forced_open_breaker_is_reported_with_reset_command() {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            CommandOutput dark = CommandOutput.discarding();
            new GatewayCommands(platform).breaker(List.of("open", "well", "--reason", "new disks"), dark);
            assertThat(run()).isEqualTo(ExitStatus.FAILED);
            assertThat(out())
                    .contains(
                            "[breaker-open]",
                            "breaker forced-open",
                            "    → `./fusebox breaker reset well` lets calls through\n")
                    .endsWith("✗ 1 of 1 server(s) failed diagnostic\n");
            adminSocket.drain();
        }
    }

    @Test
    void unresponsive_gateway_is_reported_and_servers_are_still_checked() throws Exception {
        Path socket =
                RunFolder.of(platform).made().socket(ProcessHandle.current().pid());
        try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            mute.bind(UnixDomainSocketAddress.of(socket));
            long begun = System.nanoTime();
            assertThat(run("--timeout", "8000")).isEqualTo(ExitStatus.FAILED);
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun))
                    .isLessThan(40);
            assertThat(out()).contains("[gateway-unreachable]", "→ `kill ", "  ✓ handshake: ");
        }
    }
}
