package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official Inspector, pinned to either era or left to find it out, before servers that speak one of them
/// only, over either transport.
///
/// Over five seconds: each test starts it nine times, and the first of the module waits for npm.
@Tag("interop")
@Timeout(900)
class InspectorEraTest {
    /// What it is told, and the revision that it then speaks with the gateway.
    private static final Map<String, String> ERAS =
            Map.of("legacy", "2025-11-25", "auto", "2026-07-28", "modern", "2026-07-28");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void inspector_of_each_era_works_with_legacy_stdio_server() {
        assertSeesAll(Served.fixture(Era.LEGACY).configuration(folder));
    }

    @Test
    void inspector_of_each_era_works_with_modern_http_server() {
        try (Listening server = Listening.fixture(Era.MODERN)) {
            assertSeesAll(server.configuration(folder));
        }
    }

    private void assertSeesAll(Path configuration) {
        try (Gateway gateway = Gateway.overHttp(configuration)) {
            ERAS.forEach((word, revision) -> {
                Path file =
                        Configuration.of(folder, gateway.url(), Map.of("type", "streamable-http", "protocolEra", word));
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
