package dev.fusebox.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackageRunnerTest {
    private static String runner(String line) {
        List<String> words = List.of(line.split(" "));
        return String.valueOf(PackageRunner.of(words.getFirst(), words.subList(1, words.size())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npx -y x", "npm exec x", "pnpm dlx x", "uv run x", "uvx x", "docker run -i x", "bun x y"})
    void command_that_may_download_has_a_package_runner(String line) {
        assertThat(runner("/usr/bin/" + line)).isEqualTo(line.substring(0, line.indexOf(' ')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npm run serve", "npm --silent start", "pnpm run x", "bun run x.ts", "node x.js", "sh npx"})
    void command_without_download_has_no_package_runner(String line) {
        assertThat(runner(line)).isEqualTo("null");
    }
}
