package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.config.Overrides;
import dev.fusebox.config.ShareConfig;
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
    void run_with_a_gateway_of_its_own_has_the_option_once() {
        assertThat(ServeCommand.alone(List.of("--expose", "both")))
                .containsExactly("serve", "--expose", "both", "--share", "off");
        assertThat(ServeCommand.alone(List.of("--share", "auto", "--expose", "both")))
                .containsExactly("serve", "--share", "off", "--expose", "both");
    }

    @Test
    void default_is_stdio_with_searched_file() throws Exception {
        assertThat(parse(""))
                .isEqualTo(
                        new ServeOptions(null, ServeOptions.Front.STDIO, false, null, null, Map.of(), Overrides.NONE));
    }

    @Test
    void every_option_is_parsed() throws Exception {
        ServeOptions options = parse("--config a.json --transport http --host ::1 --port 0 --expose proxy --no-prefix"
                + " --failure-threshold 3 --cooldown 500 --max-connections 5 --idle-timeout 6 --share off"
                + " --profile work");

        assertThat(options)
                .isEqualTo(new ServeOptions(
                        Path.of("a.json"),
                        ServeOptions.Front.HTTP,
                        true,
                        ShareConfig.Mode.OFF,
                        "work",
                        Map.of(
                                "--host", "::1",
                                "--port", "0",
                                "--expose", "proxy",
                                "--failure-threshold", "3",
                                "--cooldown", "500",
                                "--max-connections", "5",
                                "--idle-timeout", "6"),
                        Overrides.NONE
                                .with("--host", "::1")
                                .with("--port", "0")
                                .with("--expose", "proxy")
                                .with("--failure-threshold", "3")
                                .with("--cooldown", "500")
                                .with("--max-connections", "5")
                                .with("--idle-timeout", "6")
                                .inProfile("work")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 7332 | --port requires --transport http",
                "--host 127.0.0.1 --transport stdio | --host requires --transport http",
                "--port 80x --transport http | --port is not a whole number from 0 to 65535",
                "--transport http --port 65536 | --port is not a whole number from 0 to 65535",
                "--transport http --host 0.0.0.0 | --host is not a loopback address;"
                        + " other addresses need authentication, which is not supported yet",
                "--expose meta --expose proxy | --expose is given twice",
                "--transport tcp | invalid --transport \"tcp\": must be stdio or http",
                "--expose metal | --expose is \"metal\"; it must be meta, proxy or both",
                "--failure-threshold 0 | --failure-threshold is not a whole number from 1 to 1000000",
                "--cooldown -5 | --cooldown is not a whole number from 1 to 31536000000",
                "--max-connections 0 | --max-connections is not a whole number from 1 to 10000",
                "--idle-timeout soon | --idle-timeout is not a whole number from 1 to 31536000000",
                "--config | --config needs a value",
                "--prot 80 | unknown argument \"--prot\" for serve; did you mean \"--port\"?",
                "now | unknown argument \"now\" for serve; see `./fusebox help serve`"
            })
    void invalid_arguments_are_rejected_with_reason(String words, String reason) {
        assertThatThrownBy(() -> parse(words))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessage(reason);
    }

    @Test
    void missing_configuration_lists_searched_locations(@TempDir Path home) {
        Platform platform = Platform.system().withEnvironment(Map.of("HOME", home.toString()));

        assertThatThrownBy(() -> ConfigPlace.find(null, platform))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessage("no configuration found: --config FILE is not given; ./.mcp.json does not exist; "
                        + home.resolve(".fusebox/config.json")
                        + " does not exist; `./fusebox init` moves your clients' servers to Fusebox, and"
                        + " `./fusebox help add` shows how to add a server");
    }

    @Test
    void file_in_home_is_found_and_fusebox_home_is_respected(@TempDir Path home, @TempDir Path other) throws Exception {
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
