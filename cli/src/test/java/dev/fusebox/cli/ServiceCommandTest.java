package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `service` with a program in the place of `systemctl`, which records how it is called.
@Tag("process")
class ServiceCommandTest {
    private static final String LAUNCHER = "fusebox.launcher";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private Path unit;
    private Path config;

    @BeforeEach
    void open() throws IOException {
        System.setProperty(LAUNCHER, "/opt/a fusebox/fusebox");
        unit = folder.resolve("config/systemd/user/fusebox.service");
        config = Files.writeString(folder.resolve("f.json"), "{\"mcpServers\": {}}");
        systemctl("echo \"$*\" >>\"" + folder.resolve("calls") + "\"; echo active");
    }

    @AfterEach
    void close() {
        System.clearProperty(LAUNCHER);
    }

    private void systemctl(String body) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Disk.write(bin.resolve("systemctl"), "#!/bin/sh\n" + body + "\n", true);
    }

    private ExitStatus run(String... words) {
        out.reset();
        err.reset();
        Platform platform = Platform.system()
                .withEnvironment(Map.of(
                        "HOME", folder.toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                        "PATH", folder.resolve("bin") + ":/usr/bin:/bin"));
        return new ServiceCommand(platform, new CommandOutput(stream(out), stream(err), false)).run(List.of(words));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream from) {
        return from.toString(StandardCharsets.UTF_8);
    }

    @Test
    void install_writes_the_unit_and_starts_it_and_remove_undoes_both() throws IOException {
        assertThat(run("install", "--config", config.toString(), "--port", "7400"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(Files.readString(unit))
                .contains("\nEnvironment=\"PATH=" + folder.resolve("bin") + ":/usr/bin:/bin\"\n")
                .contains("ExecStart=\"/opt/a fusebox/fusebox\" \"serve\" \"--transport\" \"http\" \"--share\" \"auto\""
                        + " \"--config\" \"" + config + "\" \"--port\" \"7400\"\n");
        assertThat(run("status")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("the service runs: " + unit);
        assertThat(run("remove", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).strip()).isEqualTo("{\"state\":\"removed\"}");
        assertThat(unit).doesNotExist();
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .containsExactly(
                        "--user daemon-reload",
                        "--user enable --now fusebox",
                        "--user is-active fusebox",
                        "--user disable --now fusebox");
        assertThat(run("status")).isEqualTo(ExitStatus.FAILED);
        assertThat(text(out)).contains("there is no service");
    }

    @Test
    void unit_of_systemd_keeps_special_characters_of_commands_and_variables() {
        ServiceUnit service = new ServiceUnit(unit, List.of(), List.of(), List.of());
        assertThat(service.text(List.of("/opt/a$b%c"), new TreeMap<>(Map.of("PATH", "/a$b:/c%d:/\"e\""))))
                .contains("\nEnvironment=\"PATH=/a$b:/c%%d:/\\\"e\\\"\"\n")
                .contains("\nExecStart=\"/opt/a$$b%%c\"\n");
    }

    @Test
    void failure_of_the_manager_is_said_and_the_unit_stays() throws IOException {
        systemctl("echo 'Failed to connect to bus' >&2; exit 1");
        assertThat(run("install", "--config", config.toString())).isEqualTo(ExitStatus.FAILED);
        assertThat(text(out))
                .contains("wrote " + unit
                        + "; it does not run yet: `systemctl --user daemon-reload` exited with 1: Failed"
                        + " to connect to bus");
        assertThat(run("status")).isEqualTo(ExitStatus.FAILED);
        assertThat(unit).exists();
    }

    @Test
    void file_of_another_program_is_neither_replaced_nor_deleted() throws IOException {
        Files.createDirectories(unit.getParent());
        Files.writeString(unit, "[Unit]\n");
        assertThat(run("install", "--config", config.toString())).isEqualTo(ExitStatus.FAILED);
        assertThat(text(err)).contains(unit + " was not written by Fusebox; remove it first");
        assertThat(run("remove")).isEqualTo(ExitStatus.FAILED);
        assertThat(Files.readString(unit)).isEqualTo("[Unit]\n");
    }

    @Test
    void wrong_port_and_wrong_action_are_usage_errors() {
        assertThat(run("install", "--config", config.toString(), "--port", "70000"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("--port");
        assertThat(run("install", "--config", config.toString(), "--port", "0")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("--port 0");
        assertThat(run("start")).isEqualTo(ExitStatus.USAGE);
        assertThat(unit).doesNotExist();
    }
}
