package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The actions of commands that have several.
class ActionsTest {
    @TempDir
    private Path home;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private ExitStatus run(String command, List<String> words) {
        Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        CommandOutput output = new CommandOutput(to, to, false);
        return switch (command) {
            case "config" -> new ConfigCommand(platform).run(words, output);
            case "cache" -> new CacheCommand(platform).run(words, output);
            default -> new GatewayCommands(platform).breaker(words, output);
        };
    }

    @ParameterizedTest
    @CsvSource({"config, chekc, check", "config, shema, schema", "cache, claer, clear", "breaker, rest, reset"})
    void misspelled_action_gets_suggestion(String command, String word, String meant) {
        assertThat(run(command, List.of(word, "jira"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("fusebox: unknown action \"" + word + "\" for " + command + "; did you mean \"" + meant
                        + "\"?\n");
    }

    @ParameterizedTest
    @CsvSource({"config, check|schema", "cache, clear", "breaker, open|reset|show"})
    void unknown_action_without_suggestion_prints_usage(String command, String all) {
        assertThat(run(command, List.of("elephants"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: " + command + " " + all);
    }
}
