package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.config.Overrides;
import dev.fusebox.platform.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The words after `serve`, and where its configuration is.
class ServeOptionsTest {
    private static ServeOptions parse(String words) throws ServeOptions.Problem {
        return ServeOptions.parse(words.isEmpty() ? List.of() : List.of(words.split(" ", -1)));
    }

    @Test
    void nothing_asked_for_is_stdio_with_a_file_to_be_looked_for() throws Exception {
        assertThat(parse("")).isEqualTo(new ServeOptions(null, false, false, Overrides.NONE));
    }

    @Test
    void every_option_is_heard() throws Exception {
        ServeOptions options = parse("--config a.json --transport http --host ::1 --port 0 --expose proxy --no-prefix"
                + " --failure-threshold 3 --cooldown 500 --max-connections 5 --idle-timeout 6");

        assertThat(options)
                .isEqualTo(new ServeOptions(
                        Path.of("a.json"),
                        true,
                        true,
                        Overrides.NONE
                                .with("--host", "::1")
                                .with("--port", "0")
                                .with("--expose", "proxy")
                                .with("--failure-threshold", "3")
                                .with("--cooldown", "500")
                                .with("--max-connections", "5")
                                .with("--idle-timeout", "6")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 7332 | --port means nothing without --transport http",
                "--host 127.0.0.1 --transport stdio | --host means nothing without --transport http",
                "--port 80x --transport http | --port is not a whole number from 0 to 65535",
                "--transport http --port 65536 | --port is not a whole number from 0 to 65535",
                "--transport http --host 0.0.0.0 | --host is not an address of this machine's own: others"
                        + " need authentication, which is not supported yet",
                "--expose meta --expose proxy | --expose is given twice; it may be given once",
                "--transport tcp | --transport is \"tcp\"; it must be stdio or http",
                "--expose metal | --expose is \"metal\"; it must be meta, proxy or both",
                "--failure-threshold 0 | --failure-threshold is not a whole number from 1 to 1000000",
                "--cooldown -5 | --cooldown is not a whole number from 1 to 31536000000",
                "--max-connections 0 | --max-connections is not a whole number from 1 to 10000",
                "--idle-timeout soon | --idle-timeout is not a whole number from 1 to 31536000000",
                "--config | --config needs a value",
                "--prot 80 | serve does not know \"--prot\"; did you mean \"--port\"?",
                "now | serve does not know \"now\"; `./fusebox help serve` shows what it takes"
            })
    void bad_words_are_refused_with_the_reason(String words, String reason) {
        assertThatThrownBy(() -> parse(words))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessage(reason);
    }

    @Test
    void without_any_file_all_three_places_are_named(@TempDir Path home) {
        Platform platform = Platform.system().withEnvironment(Map.of("HOME", home.toString()));

        assertThatThrownBy(() -> ConfigPlace.find(null, platform))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessage("there is no configuration: none was named with --config FILE, there is no ./.mcp.json, and"
                        + " there is no " + home.resolve(".fusebox/config.json")
                        + "; `./fusebox init` moves the servers of your clients to Fusebox, and"
                        + " `./fusebox help add` shows how to add a server");
    }

    @Test
    void the_file_at_home_is_found_and_another_home_is_heard(@TempDir Path home, @TempDir Path other) throws Exception {
        Path atHome = home.resolve(".fusebox/config.json");
        Files.createDirectory(home.resolve(".fusebox"));
        Files.writeString(atHome, "{}");
        Path moved = Files.writeString(other.resolve("config.json"), "{}");
        Platform platform = Platform.system();

        assertThat(ConfigPlace.find(null, platform.withEnvironment(Map.of("HOME", home.toString())))
                        .file())
                .isEqualTo(atHome);
        assertThat(ConfigPlace.find(
                                null,
                                platform.withEnvironment(
                                        Map.of("HOME", home.toString(), "FUSEBOX_HOME", other.toString())))
                        .file())
                .isEqualTo(moved);
        assertThat(ConfigPlace.find(Path.of("named.json"), platform).file()).isEqualTo(Path.of("named.json"));
    }
}
