package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What commands say if there is no configuration file where they look for one.
@Tag("process")
@Timeout(120)
class MissingFileTest extends GatewayCommandsSteps {
    private Path here;

    @BeforeEach
    void move() throws IOException {
        here = Files.move(home.resolve("config.json"), home.resolve("elsewhere.json"));
        gateway.setSource(here);
    }

    private CommandOutput output() {
        out.reset();
        err.reset();
        return new CommandOutput(print(out), print(err), false);
    }

    private ExitStatus profiles() {
        return new ProfileCommand(platform).run(List.of("list"), output());
    }

    private ExitStatus doctor(String... words) {
        return new DoctorCommand(platform).run(List.of(words), output());
    }

    private String searched() {
        return "./.mcp.json does not exist; " + home.resolve("config.json") + " does not exist";
    }

    @Test
    void commands_that_ask_a_gateway_say_that_none_runs() {
        for (List<String> words :
                List.of(List.of("status"), List.of("list"), List.of("tools"), List.of("tools", "a/b"))) {
            assertThat(run(words.toArray(String[]::new))).isEqualTo(ExitStatus.USAGE);
            String remedy = "`./fusebox help serve` shows how to start one; `./fusebox init` moves your"
                    + " clients' servers to Fusebox, and `./fusebox help add` shows how to add a server";
            assertThat(err())
                    .isEqualTo("fusebox: no gateway is running, and no configuration found: " + searched() + "; "
                            + remedy + "\n");
        }
    }

    @Test
    void profiles_are_those_of_the_file_that_the_gateway_uses() throws IOException {
        Files.writeString(
                here,
                "{\"mcpServers\": {\"a\": {\"command\": \"c\"}}, \"profiles\": {\"work\": {\"servers\": [\"a\"]}}}");
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(profiles()).isEqualTo(ExitStatus.DONE);
            assertThat(out()).isEqualTo("work: a (meta)\n");
            assertThat(err()).isEqualTo("fusebox: using " + here + ", which gateway " + PID + " uses\n");
            adminSocket.drain();
        }
        assertThat(profiles()).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("no configuration found: --config FILE is not given; " + searched());
    }

    @Test
    void files_of_gateways_with_different_files_are_named() throws Exception {
        Path other = Files.copy(here, home.resolve("other.json"));
        try (GatewayCore second = GatewayCore.open(platform, read(SERVERS), CoreOptions.of(ServeMode.TO_MANY));
                AdminSocket adminSocket = AdminSocket.open(platform, gateway);
                HttpServer _ = HttpServer.open(
                        HttpSettings.unix(RunFolder.of(platform).made().socket(OTHER)),
                        second.adminApi().forOwner(),
                        platform)) {
            Files.delete(home.resolve("config.json"));
            second.setSource(other);
            String cause = "the running gateways use different configuration files: gateway " + PID + " uses " + here
                    + "; gateway " + OTHER + " uses " + other;
            assertThat(profiles()).isEqualTo(ExitStatus.USAGE);
            assertThat(err()).isEqualTo("fusebox: " + cause + "; select one with --config FILE\n");
            assertThat(doctor()).isEqualTo(ExitStatus.USAGE);
            assertThat(out())
                    .contains("✗ config: " + cause + " [config-missing]")
                    .contains(
                            "→ `./fusebox doctor --config " + here + "` checks the file that gateway " + PID + " uses");
            adminSocket.drain();
        }
    }

    @Test
    void doctor_without_a_file_removes_what_a_killed_gateway_has_left() throws Exception {
        Path run = RunFolder.of(platform).made().path();
        Path left = Files.createFile(run.resolve("shared-0123456789abcdef.start"));
        assertThat(doctor()).isEqualTo(ExitStatus.USAGE);
        assertThat(out())
                .contains(
                        "  ✗ config: no configuration found: ",
                        "  ⚠ state folder: 1 file of ended gateways [stale-sockets]")
                .contains("    → `./fusebox doctor --fix` removes them");
        assertThat(left).exists();
        assertThat(doctor("--fix")).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .contains(
                        "  ⚠ config: no configuration found: ", "  ✓ state folder: removed 1 file of ended gateways\n")
                .contains("    → `./fusebox init` moves your clients' servers to Fusebox")
                .endsWith("✓ no server to check\n");
        assertThat(left).doesNotExist();
        assertThat(doctor("a", "--fix")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void doctor_reports_files_that_it_cannot_check() throws Exception {
        Path run = RunFolder.of(platform).made().path();
        Path lock = Files.createSymbolicLink(run.resolve("shared-0123456789abcdef.lock"), home.resolve("other"));
        for (String how : List.of("--fresh", "--fix")) {
            doctor(how);
            assertThat(out())
                    .contains("⚠ state folder: cannot " + (how.equals("--fix") ? "remove" : "look for")
                            + " files of ended gateways: ")
                    .contains(lock + " is not a regular file; remove it")
                    .contains("state folder: only this user can read the files of Fusebox");
        }
        assertThat(lock).isSymbolicLink();
    }
}
