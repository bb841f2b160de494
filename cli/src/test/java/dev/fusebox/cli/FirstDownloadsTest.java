package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.doctor.PackageRunner;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that start servers which have to be installed first: a few at a time, and none is ended in the middle.
/// What is called `npx` here notes how many of its kind are at work, and whether it was ended before it was done.
///
/// Over five seconds: installations take their time, and are waited for in turns.
@Tag("process")
@Timeout(180)
class FirstDownloadsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CommandOutput output =
            new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(out, true, UTF_8), false);

    @TempDir
    private Path home;

    private Platform platform = Platform.system();

    @BeforeEach
    void install() throws IOException {
        platform = Platform.system()
                .withEnvironment(Map.of(
                        "HOME", home.toString(),
                        "FUSEBOX_HOME", home.toString(),
                        "PATH", System.getenv("PATH")));
        Files.createDirectory(home.resolve("at-work"));
        Disk.write(home.resolve("npx"), """
                #!/bin/sh
                cd "${0%/*}"
                echo "$1" >> starts
                trap 'echo "$1" >> ended-in-the-middle; exit 143' TERM
                if [ ! -e "installed-$1" ]; then
                  : > "at-work/$$"
                  ls at-work | wc -l >> counts
                  sleep "$2"
                  : > "installed-$1"
                  rm "at-work/$$"
                fi
                trap - TERM
                exec sh server.sh
                """, true);
        Files.writeString(home.resolve("server.sh"), ShellServer.script("first"));
    }

    private String server(String name, String seconds, String more) {
        return "\"" + name + "\":{\"command\":\"" + home.resolve("npx") + "\",\"args\":[\"" + name + "\",\"" + seconds
                + "\"]" + more + "}";
    }

    private void configure(String servers) throws IOException {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\":{" + servers + "},\"limits\":{\"eraProbeMs\":200},"
                        + "\"discovery\":{\"firstListWaitMs\":500}}");
    }

    private List<String> lines(String file) throws IOException {
        Path path = home.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    private String said() {
        return out.toString(UTF_8);
    }

    private void run(String command, String... arguments) {
        out.reset();
        ExitStatus exitStatus = switch (command) {
            case "doctor" -> new DoctorCommand(platform).run(List.of(arguments), output);
            default -> new GatewayCommands(platform).tools(List.of(arguments), output);
        };
        assertThat(exitStatus).as(said()).isNotEqualTo(ExitStatus.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools", "doctor"})
    void package_runners_are_started_a_few_at_a_time_and_each_once(String command) throws Exception {
        int count = 2 * PackageRunner.atOnce() + 1;
        configure(IntStream.range(0, count)
                .mapToObj(number -> server("s" + number, "1", ""))
                .collect(Collectors.joining(",")));
        run(command);
        assertThat(said()).contains("s" + (count - 1), "a few at a time, for up to ");
        assertThat(lines("counts"))
                .hasSize(count)
                .allSatisfy(atWork ->
                        assertThat(Integer.parseInt(atWork.trim())).isLessThanOrEqualTo(PackageRunner.atOnce()));
        assertThat(lines("ended-in-the-middle")).isEmpty();
        int starts = lines("starts").size();
        assertThat(starts).isEqualTo(command.equals("tools") ? count : 2 * count);
        run("tools");
        assertThat(said()).contains("s0__first", "s" + (count - 1) + "__first");
        assertThat(lines("starts")).hasSize(starts);
    }

    @Test
    void slow_package_runner_finishes_installation_and_is_retried() throws Exception {
        configure(server("slow", "9", ",\"connectTimeoutMs\":3000"));
        run("tools");
        assertThat(said()).contains("still downloading after the time limit: slow; `./fusebox tools` retries");
        assertThat(home.resolve("installed-slow")).exists();
        assertThat(lines("ended-in-the-middle")).isEmpty();
        run("tools", "first", "tool");
        assertThat(lines("starts")).as("a search does not ask it").hasSize(1);
        assertThat(said()).contains("still downloading after the time limit: slow");
        run("tools");
        assertThat(said()).contains("slow__first").doesNotContain("still downloading");
    }

    @Test
    void slow_package_runner_finishes_installation_after_doctor() throws Exception {
        configure(server("slow", "5", ",\"connectTimeoutMs\":1500"));
        run("doctor");
        assertThat(said()).contains("handshake-silent");
        assertThat(home.resolve("installed-slow")).exists();
        assertThat(lines("ended-in-the-middle")).isEmpty();
    }

    @Test
    void silent_server_is_waited_for_only_once() throws Exception {
        Files.writeString(
                home.resolve("mute.sh"), "echo mute >> '" + home + "/starts'; while read -r line; do :; done");
        configure("\"mute\":{\"command\":\"sh\",\"args\":[\"" + home.resolve("mute.sh") + "\"]},"
                + server("well", "0", ""));
        run("tools", "first");
        assertThat(said()).contains("well__first", "servers with unknown tools: mute");
        int starts = lines("starts").size();
        run("tools", "first");
        run("tools");
        assertThat(said()).contains("well__first", "servers with unknown tools: mute");
        assertThat(lines("starts")).hasSize(starts);
        configure("\"mute\":{\"command\":\"sh\",\"args\":[\"" + home.resolve("mute.sh") + "\",\"again\"]}");
        run("tools");
        assertThat(lines("starts")).as("it is another server now").hasSizeGreaterThan(starts);
    }

    @Test
    void server_found_silent_by_doctor_is_skipped_by_next_command() throws Exception {
        Files.writeString(
                home.resolve("mute.sh"), "echo mute >> '" + home + "/starts'; while read -r line; do :; done");
        configure("\"mute\":{\"command\":\"sh\",\"args\":[\"" + home.resolve("mute.sh")
                + "\"],\"connectTimeoutMs\":1000}");
        run("doctor");
        assertThat(said()).contains("handshake-silent");
        int starts = lines("starts").size();
        run("tools");
        assertThat(lines("starts")).hasSize(starts);
    }
}
