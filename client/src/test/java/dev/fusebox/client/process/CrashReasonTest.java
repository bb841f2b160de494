package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which line of a standard error says why a process ended. The first line of each fixture is the reason that is
/// expected of the lines below it.
class CrashReasonTest {
    private static Stream<Path> fixtures() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(CrashReasonTest.class.getResource("crashes"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void reason_is_the_line_that_says_it(Path fixture) throws IOException {
        List<String> lines = Files.readAllLines(fixture);
        assertThat(CrashReason.of(lines.subList(1, lines.size()))).isEqualTo(lines.getFirst());
    }

    @Test
    void there_are_fixtures_of_each_kind_of_program() throws Exception {
        assertThat(fixtures()
                        .map(each -> each.getFileName().toString())
                        .map(name -> name.substring(0, name.indexOf('-')))
                        .distinct())
                .contains("node", "npm", "tsx", "python", "uvx", "docker", "java", "go", "rust");
    }

    @Test
    void of_no_lines_there_is_no_reason_and_of_trailers_only_the_last_one() {
        assertThat(CrashReason.of(List.of())).isNull();
        assertThat(CrashReason.of(List.of(""))).isNull();
        assertThat(CrashReason.of(List.of("npm notice", "Node.js v20.20.2"))).isEqualTo("Node.js v20.20.2");
    }

    /// As a tail shows them: escape sequences are legible there.
    @Test
    void colours_and_titles_of_a_terminal_hide_no_reason_and_are_none() {
        List<String> lines =
                List.of("\\x1b[31;1mError: no token\\x1b[0m", "\\x1b]0;server\\x07", "\\x1b[2J\\x1b[H", "\\x1b[?25h");
        assertThat(CrashReason.of(lines)).isEqualTo("Error: no token");
        assertThat(CrashReason.of(List.of("starts", "\\x1b[2mNode.js v20.20.2\\x1b[22m")))
                .isEqualTo("starts");
    }

    @Test
    void of_nothing_but_escape_sequences_the_last_line_is_shown_as_it_is() {
        assertThat(CrashReason.of(List.of("\\x1b[2J\\x1b[H"))).isEqualTo("\\x1b[2J\\x1b[H");
    }

    @Test
    void program_that_npm_ran_is_asked_before_npm() {
        assertThat(CrashReason.of(List.of(
                        "Error: no token",
                        "npm error Lifecycle script `start` failed with error:",
                        "npm error code 1",
                        "npm error path /srv/app")))
                .isEqualTo("Error: no token");
    }

    @Test
    void long_reason_is_shortened() {
        assertThat(CrashReason.of(List.of("x".repeat(2000)))).hasSize(503).endsWith("x...");
    }
}
