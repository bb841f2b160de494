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
    void nothing_asked_for_is_answered_with_the_help() {
        assertThat(run(false)).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("Usage: ./fusebox COMMAND").contains("  version ");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void the_help_lists_every_command_of_application_and_launcher() {
        run(false, "help");
        assertThat(text(out)
                        .lines()
                        .filter(line -> line.startsWith("  "))
                        .map(line -> line.strip().split(" ", 2)[0]))
                .containsExactly(
                        "demo",
                        "serve",
                        "config",
                        "doctor",
                        "status",
                        "list",
                        "tools",
                        "call",
                        "cache",
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
    void help_and_version_may_be_asked_for_as_options() {
        run(false, "--help");
        assertThat(text(out)).contains("Usage:");
        assertThat(run(false, "--version")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out)).contains("fusebox " + VersionCommand.ofFusebox());
    }

    @Test
    void version_tells_fusebox_and_java() {
        assertThat(run(false, "version")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).strip())
                .isEqualTo("fusebox " + VersionCommand.ofFusebox() + " (Java " + Runtime.version() + ")");
    }

    @Test
    void the_version_is_the_one_of_the_build() {
        assertThat(VersionCommand.ofFusebox()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }

    @Test
    void version_has_a_form_for_scripts() {
        run(false, "version", "--json");
        assertThat(text(out).strip())
                .isEqualTo(
                        "{\"fusebox\":\"" + VersionCommand.ofFusebox() + "\",\"java\":\"" + Runtime.version() + "\"}");
    }

    @Test
    void an_unknown_argument_of_version_is_refused() {
        assertThat(run(false, "version", "--jsn")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).contains("--json").contains("\"--jsn\"");
    }

    @Test
    void a_mistyped_command_is_refused_with_a_guess() {
        assertThat(run(false, "verison")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(out)).isEmpty();
        assertThat(text(err)).contains("\"verison\"").contains("Did you mean \"version\"?");
    }

    @Test
    void a_word_that_is_near_nothing_is_refused_without_a_guess() {
        assertThat(run(false, "xyzzy")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("\"xyzzy\"").doesNotContain("Did you mean");
    }

    @Test
    void a_command_of_the_launcher_says_where_it_lives() {
        assertThat(run(false, "build")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("./fusebox");
    }

    @Test
    void colour_is_used_only_when_asked_for() {
        run(false, "help");
        assertThat(text(out)).doesNotContain("\u001b");
        run(true, "help");
        assertThat(text(out)).contains("\u001b[1mversion\u001b[0m");
    }

    @Test
    void the_training_run_prints_nothing() {
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
