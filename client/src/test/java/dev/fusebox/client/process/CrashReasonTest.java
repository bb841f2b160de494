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

/// The stderr line that says why a process exited. The first line of each fixture is the expected reason of the
/// lines below it.
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
    void reason_of_each_fixture_is_its_first_line(Path fixture) throws IOException {
        List<String> lines = Files.readAllLines(fixture);
        assertThat(CrashReason.of(lines.subList(1, lines.size()))).isEqualTo(lines.getFirst());
    }

    @Test
    void each_kind_of_program_has_fixtures() throws Exception {
        assertThat(fixtures()
                        .map(each -> each.getFileName().toString())
                        .map(name -> name.substring(0, name.indexOf('-')))
                        .distinct())
                .contains("node", "npm", "tsx", "python", "uvx", "docker", "java", "go", "rust");
    }

    @Test
    void no_lines_give_no_reason_and_trailers_give_the_last_one() {
        assertThat(CrashReason.of(List.of())).isNull();
        assertThat(CrashReason.of(List.of(""))).isNull();
        assertThat(CrashReason.of(List.of("npm notice", "Node.js v20.20.2"))).isEqualTo("Node.js v20.20.2");
    }

    /// As in a tail, where escape sequences are escaped.
    @Test
    void escape_sequences_neither_hide_a_reason_nor_are_one() {
        List<String> lines =
                List.of("\\x1b[31;1mError: no token\\x1b[0m", "\\x1b]0;server\\x07", "\\x1b[2J\\x1b[H", "\\x1b[?25h");
        assertThat(CrashReason.of(lines)).isEqualTo("Error: no token");
        assertThat(CrashReason.of(List.of("starts", "\\x1b[2mNode.js v20.20.2\\x1b[22m")))
                .isEqualTo("starts");
    }

    @Test
    void last_line_is_shown_if_all_are_escape_sequences() {
        assertThat(CrashReason.of(List.of("\\x1b[2J\\x1b[H"))).isEqualTo("\\x1b[2J\\x1b[H");
    }

    @Test
    void error_of_a_program_precedes_that_of_the_npm_that_ran_it() {
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
