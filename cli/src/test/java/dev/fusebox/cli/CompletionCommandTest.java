package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The help and completion of all commands.
@Tag("process")
@Timeout(60)
class CompletionCommandTest {
    /// What some commands need before their options are looked at.
    private static final Map<String, List<String>> FIRST = Map.of(
            "profile",
            List.of("list"),
            "config",
            List.of("check"),
            "breaker",
            List.of("show"),
            "call",
            List.of("server", "tool"),
            "service",
            List.of("status"));

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private ExitStatus run(String... words) {
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new CommandLine(Main.COMMANDS).run(List.of(words), output);
    }

    private String said() {
        String said = out.toString(UTF_8);
        out.reset();
        return said;
    }

    @Test
    void help_command_and_help_option_print_same_text() {
        assertThat(run("help", "add")).isEqualTo(ExitStatus.DONE);
        String help = said();
        assertThat(run("add", "--help")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).isEqualTo(help).contains("Usage: ./fusebox add", "  ./fusebox add files npx");
        assertThat(run("help", "serve")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("Usage: ./fusebox serve");
    }

    @Test
    void every_command_has_help_in_text_and_json() {
        assertThat(run("help", "--json")).isEqualTo(ExitStatus.DONE);
        List<JsonView> commands =
                Objects.requireNonNull(JsonView.of(said()).member("commands")).elements();
        assertThat(commands)
                .hasSize(HelpTexts.read().texts().size())
                .allSatisfy(command -> assertThat(command.string("help"))
                        .isEqualTo(HelpTexts.read().texts().get(command.string("name"))));
    }

    @Test
    void every_command_suggests_misspelled_options() {
        for (Command command : Main.COMMANDS) {
            for (String option : HelpTexts.read().options(command.name())) {
                String misspelled = option.substring(0, option.length() - 1) + "q";
                List<String> words = new ArrayList<>(List.of(command.name()));
                words.addAll(FIRST.getOrDefault(command.name(), List.of()));
                words.add(misspelled);
                assertThat(run(words.toArray(String[]::new))).as(misspelled).isEqualTo(ExitStatus.USAGE);
                assertThat(err.toString(UTF_8))
                        .contains("unknown argument \"" + misspelled + "\" for ", "; did you mean \"--")
                        .contains("\"" + option + "\"?");
                err.reset();
            }
        }
    }

    @Test
    void every_help_section_belongs_to_command_and_has_example() {
        HelpTexts.read().texts().forEach((name, text) -> {
            assertThat(run(name, "--help")).as(name).isEqualTo(ExitStatus.DONE);
            assertThat(said()).isEqualTo(text + System.lineSeparator());
            assertThat(text).startsWith("Usage: ./fusebox " + name).containsPattern("(?m)^  .*\\./fusebox " + name);
        });
    }

    @Test
    void every_listed_command_has_help() {
        assertThat(Main.COMMANDS)
                .filteredOn(command -> !command.isHidden())
                .allMatch(command -> HelpTexts.read().of(command).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"help nosuch", "trust list", "completion tcsh", "completion", "complesion bash"})
    void unknown_topics_are_rejected(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(UTF_8)).startsWith("fusebox: ");
    }

    @Test
    void bash_completes_commands_and_their_options() throws Exception {
        assertThat(completed("fusebox", "imp")).isEqualTo("import");
        assertThat(completed("fusebox", "add", "--h")).isEqualTo("--header");
        assertThat(completed("fusebox", "init", "--").split(" ", -1))
                .containsExactly(
                        "--client",
                        "--config",
                        "--force",
                        "--json",
                        "--profile",
                        "--project-files",
                        "--rename",
                        "--transport",
                        "--undo",
                        "--yes");
        assertThat(completed("fusebox", "remove", "x", "--j")).isEqualTo("--json");
    }

    @Test
    void bash_completes_actions_and_option_values() throws Exception {
        assertThat(completed("fusebox", "breaker", "re")).isEqualTo("reset");
        assertThat(completed("fusebox", "config", "")).startsWith("check schema --");
        assertThat(completed("fusebox", "completion", "f")).isEqualTo("fish");
        assertThat(completed("fusebox", "serve", "--expose", "")).isEqualTo("meta proxy both");
        assertThat(completed("fusebox", "init", "--client", "cod")).isEqualTo("codex");
        assertThat(completed("fusebox", "help", "rest")).isEqualTo("restart");
        assertThat(completed("fusebox", "comp")).isEqualTo("completion");
    }

    private String completed(String... words) throws Exception {
        assertThat(run("completion", "bash")).isEqualTo(ExitStatus.DONE);
        String line = "COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD=" + (words.length - 1)
                + "; _fusebox; echo ${COMPREPLY[@]}";
        return shell("bash", said() + line).strip();
    }

    private String shell(String shell, String script) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("script"), script);
        Process process = new ProcessBuilder(shell, file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @Test
    void zsh_and_fish_list_every_command_with_purpose() {
        run("completion", "zsh");
        String zsh = said();
        run("completion", "fish");
        String fish = said();

        assertThat(zsh)
                .contains(
                        "'import:copies your clients servers",
                        "add) options=(--config --cwd",
                        "--transport) compadd stdio http",
                        "compdef _fusebox");
        assertThat(fish)
                .contains("-a import -d 'copies your clients servers", "'__fish_seen_subcommand_from add' -l header")
                .contains("from breaker' -a reset", "-l transport -x -a 'stdio http'");
        assertThat(zsh + fish).doesNotContain("train-worker");
    }
}
