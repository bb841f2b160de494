package dev.fusebox.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.server.Era;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The official Inspector, pinned to either era or left to find it out, before a server that speaks only the other one
/// or both, over either transport.
///
/// Over five seconds: each test starts it nine times, and the first of the module waits for npm.
@Timeout(900)
class InspectorEraTest {
    /// What it is told, and the revision that it then speaks with the gateway.
    private static final Map<String, String> ERAS =
            Map.of("legacy", "2025-11-25", "auto", "2026-07-28", "modern", "2026-07-28");

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @EnumSource
    void it_sees_the_same_in_each_era_over_standard_input_and_output(Era era) {
        assertSame(Served.fixture(era).configuration(folder));
    }

    @ParameterizedTest
    @EnumSource
    void it_sees_the_same_in_each_era_over_http(Era era) {
        try (Listening server = Listening.fixture(era)) {
            assertSame(server.configuration(folder));
        }
    }

    private void assertSame(Path configuration) {
        try (Gateway gateway = Gateway.overHttp(configuration)) {
            ERAS.forEach((word, revision) -> {
                Path file = Configuration.of(
                        folder, gateway.url(), Map.of("type", "streamable-http", "protocolEra", word));
                Inspector inspector = new Inspector(folder, file);
                assertThat(inspector.run("initialize").succeeds().out())
                        .as(word)
                        .contains(revision, "fusebox-fixture");
                assertThat(inspector.run("tools/list").succeeds().out())
                        .as(word)
                        .contains("\"name\":\"echo\"", "\"name\":\"test_simple_text\"");
                assertThat(inspector
                                .run("tools/call", "--tool-name", "add", "--tool-arg", "a=2", "--tool-arg", "b=40")
                                .succeeds()
                                .out())
                        .as(word)
                        .contains("\"structuredContent\":{\"sum\":42}");
            });
        }
    }
}
