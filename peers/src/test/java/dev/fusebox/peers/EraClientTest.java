package dev.fusebox.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.Era;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The official client for both eras, in each of its modes, through each front, before servers of either era and of
/// both.
///
/// Over five seconds: the first test of the module waits for npm.
@Timeout(900)
class EraClientTest {
    private static final Map<String, String> MODES = Map.of("legacy", "legacy", "auto", "modern", "pinned", "modern");

    @TempDir
    private Path folder = Path.of("");

    static Stream<Arguments> cells() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(Era.values()).map(era -> Arguments.of(way, era)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void every_mode_finds_everything_whatever_the_era_of_the_server(Way way, Era era) {
        Path configuration = Served.fixture(era).configuration(folder);
        JsonView seen = way.through(configuration, target -> Scripts.run("eras.mjs", target));
        MODES.forEach((mode, spoken) -> {
            JsonView journey = Scripts.part(seen, mode);
            assertThat(text(journey, "era")).as(mode).isEqualTo(spoken);
            assertThat(text(journey, "server")).isEqualTo("fusebox-fixture");
            assertThat(text(journey, "echo")).isEqualTo("Grüße 🌍");
            assertThat(text(journey, "resource")).contains("static text resource");
            assertThat(Scripts.part(journey, "steps").json()).isEqualTo("[0,50,100]");
            assertThat(text(journey, "elicitation")).contains("Ada");
            assertThat(text(journey, "sampling")).isEqualTo("LLM response: heard: What is new?");
            assertThat(text(journey, "roots")).contains("file:///somewhere");
            assertThat(text(journey, "three"))
                    .contains("Ada")
                    .contains("heard: Generate a greeting")
                    .contains("file:///somewhere");
            assertThat(Scripts.part(journey, "failure").isTrue()).isTrue();
        });
        assertThat(Scripts.part(Scripts.part(seen, "legacy"), "tools"))
                .isEqualTo(Scripts.part(Scripts.part(seen, "pinned"), "tools"));
    }

    private static String text(JsonView journey, String part) {
        return String.valueOf(Scripts.part(journey, part).string());
    }
}
