package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The official client for both eras, in each of its modes, through each front, before servers of either era and
/// of both.
///
/// Over five seconds: the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class EraClientTest {
    private static final Map<String, String> MODES = Map.of("legacy", "legacy", "auto", "modern", "pinned", "modern");

    @TempDir
    private Path folder = Path.of("");

    static Stream<Arguments> cells() {
        return Stream.of(Way.STDIO, Way.HTTP)
                .flatMap(way -> Stream.of(Era.values()).map(era -> Arguments.of(way, era)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void every_client_mode_works_with_servers_of_each_era(Way way, Era era) {
        Path configuration = Served.fixture(era).configuration(folder);
        JsonView seen = way.through(configuration, target -> Scripts.run("eras.mjs", target));
        MODES.forEach((mode, spoken) -> assertWhole(Scripts.part(seen, mode), spoken));
        assertThat(Scripts.part(Scripts.part(seen, "legacy"), "tools"))
                .isEqualTo(Scripts.part(Scripts.part(seen, "pinned"), "tools"));
    }

    /// There are only sessions over HTTP with server-sent events. A client that must not have one is told so.
    @ParameterizedTest
    @EnumSource
    void sse_transport_falls_back_to_session(Era era) {
        Path configuration = Served.fixture(era).configuration(folder);
        JsonView seen = Way.SSE.through(configuration, target -> Scripts.run("eras.mjs", target));
        assertWhole(Scripts.part(seen, "legacy"), "legacy");
        assertWhole(Scripts.part(seen, "auto"), "legacy");
        assertThat(String.valueOf(seen.path("pinned", "failed"))).contains("Unsupported protocol version");
    }

    /// Each server has a process of its own for the one client on standard input and output. Clients of a shared
    /// gateway come one after the other.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void every_client_mode_works_with_dual_era_server_among_many(boolean isShared) {
        String official = "@modelcontextprotocol/server-";
        Path configuration = Configuration.of(
                folder,
                Map.of(
                        "peer", Served.fixture(Era.BOTH),
                        "everything", Served.ofPackage(official + "everything", "stdio"),
                        "files", Served.ofPackage(official + "filesystem", folder.toString())));
        try (SharedLauncher launcher = new SharedLauncher(folder.resolve("home"), configuration)) {
            assertWhole(Scripts.run("eras.mjs", isShared ? launcher.client() : launcher.alone(), "peer__"));
            assertThat(launcher.gateways()).hasSize(isShared ? 1 : 0);
        }
    }

    /// What every mode of the client sees of a server `peer` among many.
    static void assertWhole(JsonView seen) {
        MODES.forEach((mode, spoken) -> {
            JsonView journey = Scripts.part(seen, mode);
            assertThat(text(journey, "server")).isEqualTo("fusebox");
            assertWhole(journey, spoken, "[peer] ");
        });
    }

    private static void assertWhole(JsonView journey, String spoken) {
        assertThat(text(journey, "server")).isEqualTo("fusebox-fixture");
        assertWhole(journey, spoken, "");
    }

    /// @param label what stands before the texts of the server's questions
    private static void assertWhole(JsonView journey, String spoken, String label) {
        assertThat(text(journey, "era")).isEqualTo(spoken);
        assertThat(text(journey, "echo")).isEqualTo("Grüße 🌍");
        assertThat(text(journey, "resource")).contains("static text resource");
        assertThat(Scripts.part(journey, "steps").json()).isEqualTo("[0,50,100]");
        assertThat(text(journey, "elicitation")).contains("Ada");
        assertThat(text(journey, "sampling")).isEqualTo("LLM response: heard: " + label + "What is new?");
        assertThat(text(journey, "roots")).contains("file:///somewhere");
        assertThat(text(journey, "three"))
                .contains("Ada")
                .contains("heard: " + label + "Generate a greeting")
                .contains("file:///somewhere");
        assertThat(Scripts.part(journey, "failure").isTrue()).isTrue();
    }

    private static String text(JsonView journey, String part) {
        return String.valueOf(Scripts.part(journey, part).string());
    }
}
