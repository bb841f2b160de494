package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Over five seconds: a training run makes thousands of calls.
@Tag("process")
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void missing_command_prints_help() {
        assertThat(run(false)).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("Usage: ./fusebox COMMAND").contains("  version ");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void help_lists_every_command_of_application_and_launcher() {
        run(false, "help");
        assertThat(text(out)
                        .lines()
                        .filter(line -> line.startsWith("  "))
                        .map(line -> line.strip().split(" ", 2)[0]))
                .containsExactly(
                        "demo",
                        "serve",
                        "config",
                        "profile",
                        "doctor",
                        "status",
                        "list",
                        "tools",
                        "call",
                        "login",
                        "logout",
                        "cache",
                        "secret",
                        "service",
                        "logs",
                        "breaker",
                        "connect",
                        "restart",
                        "init",
                        "allow",
                        "import",
                        "add",
                        "remove",
                        "enable",
                        "disable",
                        "version",
                        "completion",
                        "help",
                        "build",
                        "test",
                        "check",
                        "jdk");
    }

    @Test
    void help_and_version_work_as_options() {
        run(false, "--help");
        assertThat(text(out)).contains("Usage:");
        assertThat(run(false, "--version")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("fusebox " + VersionCommand.ofFusebox());
    }

    @Test
    void version_prints_fusebox_and_java() {
        assertThat(run(false, "version")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).strip())
                .isEqualTo("fusebox " + VersionCommand.ofFusebox() + " (Java " + Runtime.version() + ")");
    }

    @Test
    void version_is_version_of_build() {
        assertThat(VersionCommand.ofFusebox()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }

    @Test
    void version_has_json_form() {
        run(false, "version", "--json");
        assertThat(text(out).strip())
                .isEqualTo(
                        "{\"fusebox\":\"" + VersionCommand.ofFusebox() + "\",\"java\":\"" + Runtime.version() + "\"}");
    }

    @Test
    void unknown_argument_of_version_is_rejected() {
        assertThat(run(false, "version", "--jsn")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).contains("--json").contains("\"--jsn\"");
    }

    @Test
    void mistyped_command_gets_suggestion() {
        assertThat(run(false, "verison")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).contains("\"verison\"").contains("Did you mean \"version\"?");
    }

    @Test
    void unknown_command_without_match_gets_no_suggestion() {
        assertThat(run(false, "xyzzy")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("\"xyzzy\"").doesNotContain("Did you mean");
    }

    @Test
    void launcher_command_refers_to_launcher() {
        assertThat(run(false, "build")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("./fusebox");
    }

    @Test
    void help_of_a_package_leaves_out_commands_that_need_sources() {
        CommandLine packaged = new CommandLine(List.of(), true);
        CommandOutput output = new CommandOutput(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false);
        packaged.run(List.of("help"), output);
        assertThat(text(out)).contains("  completion").doesNotContain("  build ", "  test ", "  check ", "  jdk ");
        assertThat(packaged.run(List.of("build"), output)).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("unknown command \"build\"");
    }

    @Test
    void color_is_used_only_on_request() {
        run(false, "help");
        assertThat(text(out)).doesNotContain("\u001b");
        run(true, "help");
        assertThat(text(out)).contains("\u001b[1mversion\u001b[0m");
    }

    @Test
    void training_run_prints_nothing() {
        assertThat(run(true, "train")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).isEmpty();
    }

    private ExitStatus run(boolean color, String... words) {
        CommandOutput output = new CommandOutput(printer(out), printer(err), color);
        return new CommandLine(Main.COMMANDS).run(List.of(words), output);
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream written) {
        return written.toString(StandardCharsets.UTF_8);
    }
}
