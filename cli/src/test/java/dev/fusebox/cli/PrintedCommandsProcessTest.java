package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.FuseboxCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands that Fusebox prints for broken setups, executed in a shell. The configuration's folder has a space
/// in its name, and the working directory is another one.
///
/// Over five seconds: every command that is printed is started as a process of its own.
@Tag("process")
@Timeout(900)
class PrintedCommandsProcessTest {
    /// A command in a sentence.
    private static final Pattern IN_A_SENTENCE = Pattern.compile("`([^`]+)`");

    /// What would change the machine that the tests run on.
    private static final Pattern NOT_TYPED = Pattern.compile("sudo .*|pipx .*|open .*|mkdir -p /nowhere");

    /// Programs whose 2 does not say that they were called wrongly: a host that is not found, and a server.
    private static final Pattern OTHER_CODES = Pattern.compile("getent .*|'.*/e2'");

    /// It says by 127 that there is no such program, as it was asked.
    private static final Pattern ASKS_FOR_PROGRAM = Pattern.compile("command -v .*");

    private static final int ENOUGH_SECONDS = 120;

    @TempDir
    private Path folder;

    private Path launcher;
    private Path project;
    private Path elsewhere;

    @BeforeEach
    void install() throws IOException {
        project = Files.createDirectories(folder.resolve("a project"));
        elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        launcher = folder.resolve("launcher/fusebox");
        Files.createDirectories(launcher.getParent());
        String start = Launched.with(List.of("-Dfusebox.launcher=" + launcher)).stream()
                .map(FuseboxCommand::quoted)
                .collect(Collectors.joining(" "));
        Disk.write(launcher, "#!/bin/sh\nexec " + start + " \"$@\"\n", true);
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Disk.write(
                programs.resolve("docker"),
                "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2\nexit 1\n",
                true);
    }

    // ---- Typing

    /// What a command printed, and how it ended.
    private record Said(String command, int code, String text) {}

    private Said type(String command, Path place) {
        return type(command, place, "home");
    }

    private Said type(String command, Path place, String home) {
        try {
            Path output = Files.createTempFile(folder, "output", "");
            Process process =
                    shell(command, place, home).redirectOutput(output.toFile()).start();
            if (!process.waitFor(ENOUGH_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(command + " has not ended: " + Files.readString(output));
            }
            return new Said(command, process.exitValue(), Files.readString(output, UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// Registries are not reached, so that nothing is installed.
    private ProcessBuilder shell(String command, Path place, String home) {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"));
        Map<String, String> environment = shell.environment();
        environment.put("FUSEBOX_HOME", folder.resolve(home).toString());
        environment.put("HOME", folder.resolve(home).toString());
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("npm_config_registry", "http://127.0.0.1:9/");
        environment.put("npm_config_fetch_retries", "0");
        environment.put("PIP_INDEX_URL", "http://127.0.0.1:9/");
        environment.put("PIP_RETRIES", "0");
        return shell;
    }

    private Said fusebox(String words, Path place) {
        return type(FuseboxCommand.quoted(launcher.toString()) + " " + words, place);
    }

    private Set<String> commands(List<Said> all) {
        return all.stream()
                .map(Said::text)
                .flatMap(text -> IN_A_SENTENCE.matcher(text).results().map(found -> found.group(1)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void checkEach(List<Said> all, Path place) {
        List<String> wrong = new ArrayList<>();
        for (String command : commands(all)) {
            if (!NOT_TYPED.matcher(command).matches()) {
                Said said = type(command, place);
                boolean isUsage =
                        said.code() == 2 && !OTHER_CODES.matcher(command).matches();
                boolean isMissing = said.code() == 126
                        || (said.code() == 127
                                && !ASKS_FOR_PROGRAM.matcher(command).matches());
                if (isUsage || isMissing) {
                    wrong.add(said.toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    // ---- Set-ups

    private BrokenSetups broken(StatusServer web) throws IOException {
        BrokenSetups setups = new BrokenSetups(project)
                .withFiles()
                .withExits()
                .withCrashes()
                .withConfigs()
                .withUrls(web);
        Files.writeString(project.resolve("servers.json"), setups.config());
        return setups;
    }

    @Test
    void commands_printed_by_doctor_work() throws Exception {
        try (StatusServer web = new StatusServer()) {
            broken(web);
            List<Said> all = List.of(
                    fusebox("doctor --config servers.json --timeout 60000", project),
                    fusebox("config check --config servers.json", project));
            assertThat(commands(all))
                    .contains("docker info", "npm view nowhere", "export NOT_A=VALUE NOT_B=VALUE")
                    .contains(launcher + " enable warn-disabled --config '" + project.resolve("servers.json") + "'");
            checkEach(all, project);
            assertThat(fusebox("doctor --config servers.json --config-only variables", project)
                            .text())
                    .contains("variable-missing");
            assertThat(type(
                                    "export NOT_A=VALUE NOT_B=VALUE; " + launcher
                                            + " doctor --config servers.json --config-only variables",
                                    project)
                            .text())
                    .doesNotContain("variable-missing");
        }
    }

    @Test
    void commands_printed_beside_other_gateway_work_in_any_folder() throws Exception {
        try (StatusServer web = new StatusServer()) {
            broken(web);
            Process gateway = serve(project.resolve("servers.json"));
            try {
                List<Said> all = new ArrayList<>();
                for (String words : List.of(
                        "doctor --timeout 60000",
                        "status",
                        "tools",
                        "call warn-disabled x",
                        "call variables x",
                        "call inputs x",
                        "connect says-why",
                        "connect missing",
                        "enable nowhere-at-all",
                        "disable silent-exit",
                        "add more cat",
                        "add",
                        "tols",
                        "status")) {
                    all.add(fusebox(words, elsewhere));
                }
                assertThat(all.toString())
                        .contains(", which gateway " + gateway.pid() + " uses")
                        .contains(project.resolve("servers.json") + ": disabled silent-exit")
                        .contains(project.resolve("servers.json") + ": added more");
                assertThat(folder.resolve("home/config.json")).doesNotExist();
                checkEach(all, elsewhere);
                eventually(
                        "a server that was enabled as printed is not disabled",
                        () -> assertThat(fusebox("list", elsewhere).text())
                                .doesNotContainPattern("warn-disabled +disabled")
                                .doesNotContainPattern("silent-exit +disabled"));
            } finally {
                gateway.destroy();
                assertThat(gateway.waitFor(ENOUGH_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void several_gateways_are_reported_with_their_commands() throws Exception {
        String good = "{\"mcpServers\": {\"good\": {\"command\": \"cat\"}}}";
        Path one = Files.writeString(project.resolve("one.json"), good);
        Path other = Files.writeString(project.resolve("other.json"), good);
        Process first = serve(one);
        Process second = serve(other);
        try {
            List<Said> all = List.of(
                    fusebox("doctor", elsewhere),
                    fusebox("disable good", elsewhere),
                    fusebox("add more cat", elsewhere),
                    fusebox("restart good", elsewhere));
            assertThat(commands(all))
                    .contains(
                            launcher + " doctor --config '" + one + "'", launcher + " doctor --config '" + other + "'")
                    .contains(launcher + " disable good --config '" + one + "'")
                    .contains(launcher + " add --config '" + other + "' more cat");
            assertThat(all.toString()).contains("no running gateway uses this file");
            checkEach(all, elsewhere);
            assertThat(Files.readString(one)).contains("\"disabled\": true", "\"more\"");
            assertThat(Files.readString(other)).contains("\"disabled\": true", "\"more\"");
        } finally {
            first.destroy();
            second.destroy();
            assertThat(first.waitFor(ENOUGH_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(second.waitFor(ENOUGH_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void commands_printed_without_configuration_work() {
        List<Said> all = Stream.of("doctor", "status", "tools", "call a b", "serve", "config check")
                .map(words -> fusebox(words, elsewhere))
                .toList();
        assertThat(commands(all)).contains(launcher + " init", launcher + " help add", launcher + " help serve");
        checkEach(all, elsewhere);
    }

    /// Until it can be asked.
    private Process serve(Path file) throws IOException {
        String command = "exec " + launcher + " serve --transport http --port 0 --config "
                + FuseboxCommand.quoted(file.toString());
        Path log = Files.createTempFile(folder, "log", "");
        Process gateway =
                shell(command, project, "home").redirectOutput(log.toFile()).start();
        eventually("the gateway serves", () -> assertThat(log).content().contains("serving on"));
        return gateway;
    }
}
