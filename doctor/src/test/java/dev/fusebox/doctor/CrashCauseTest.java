package dev.fusebox.doctor;

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

/// The causes recognized in standard error. The first line of each fixture is the expected cause of the lines
/// below it.
class CrashCauseTest {
    private static Stream<Path> fixtures() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(CrashCauseTest.class.getResource("crashes"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void cause_is_recognised_from_standard_error(Path fixture) throws IOException {
        List<String> lines = Files.readAllLines(fixture);
        assertThat(String.valueOf(CrashCause.of(lines.subList(1, lines.size()))))
                .isEqualTo(lines.getFirst());
    }

    @Test
    void every_cause_has_a_fixture() throws Exception {
        List<String> causes = fixtures().map(CrashCauseTest::firstLine).toList();
        assertThat(CrashCause.class.getPermittedSubclasses())
                .allSatisfy(cause -> assertThat(causes).anyMatch(line -> line.startsWith(cause.getSimpleName())));
    }

    private static String firstLine(Path fixture) {
        try {
            return Files.readAllLines(fixture).getFirst();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void silent_server_has_no_known_cause() {
        assertThat(CrashCause.of(List.of())).isNull();
        assertThat(CrashCause.of(List.of(""))).isNull();
    }

    @Test
    void module_that_is_only_mentioned_is_not_a_cause() {
        assertThat(CrashCause.of(List.of("Error: Cannot find module 'x'", "continuing without it", "fatal: no token")))
                .isNull();
    }

    @Test
    void folder_to_remove_is_always_in_the_npx_cache() {
        String reason = "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '%s' imported from /srv/a.mjs";
        assertThat(CrashCause.of(List.of(reason.formatted("/home/user/_npx/.."))))
                .isInstanceOf(CrashCause.MissingFile.class);
        assertThat(CrashCause.of(List.of(reason.formatted("/home/u/.npm/_npx/0123456789abcdef/../../x"))))
                .hasToString("StaleNpxCache[folder=/home/u/.npm/_npx/0123456789abcdef]");
    }
}
