package dev.fusebox.gateway.doctor;

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
    void what_may_have_to_be_downloaded_has_a_runner(String line) {
        assertThat(runner("/usr/bin/" + line)).isEqualTo(line.substring(0, line.indexOf(' ')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npm run serve", "npm --silent start", "pnpm run x", "bun run x.ts", "node x.js", "sh npx"})
    void what_is_there_already_has_none(String line) {
        assertThat(runner(line)).isEqualTo("null");
    }
}
