package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The benchmarks are started by scripts, which no compiler compares with the programs that they name.
class ScriptsTest {
    private static final Pattern PROGRAM = Pattern.compile("noOp\\('(\\w+)'|'dev\\.fusebox\\.bench\\.(\\w+)'");

    @Test
    void every_program_that_a_script_starts_exists() throws IOException {
        List<String> names;
        try (Stream<Path> scripts = Files.walk(Path.of("src/main/js"))) {
            names = scripts.filter(file -> file.toString().endsWith(".mjs"))
                    .flatMap(ScriptsTest::programs)
                    .distinct()
                    .toList();
        }
        assertThat(names).contains("NoOp", "InProcessGateway", "BareJvm");
        assertThat(names)
                .allSatisfy(name -> assertThat(Path.of("src/main/java/dev/fusebox/bench", name + ".java"))
                        .exists());
    }

    private static Stream<String> programs(Path script) {
        try {
            return PROGRAM.matcher(Files.readString(script)).results().map(ScriptsTest::name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String name(MatchResult found) {
        return found.group(1) == null ? found.group(2) : found.group(1);
    }
}
