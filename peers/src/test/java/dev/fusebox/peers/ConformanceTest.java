package dev.fusebox.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The conformance suite of the protocol, against our server alone and through the gateway.
///
/// Over five seconds: it is the whole suite, twice, and the first test of the module waits for npm.
@Timeout(900)
class ConformanceTest {
    private static final String SESSIONS = "2025-11-25";

    /// What revision 2025-11-25 requires. Of the others `server-sse-polling` has no checks through the gateway: it
    /// wants a server that drops the line of a call, and a server over standard input and output has none to drop.
    private static final List<String> REQUIRED = List.of(
            "server-initialize",
            "logging-set-level",
            "ping",
            "completion-complete",
            "tools-list",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-with-logging",
            "tools-call-error",
            "tools-call-with-progress",
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
            "server-sse-multiple-streams",
            "resources-list",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "resources-subscribe",
            "resources-unsubscribe",
            "prompts-list",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image",
            "dns-rebinding-protection");

    /// Where nothing comes before the answer, our server sends a stream all the same and the gateway plain JSON. The
    /// suite
    /// takes either, and only notes that it saw no streams.
    private static final String STREAMS = "server-sse-streams-functional SUCCESS";

    private static final String NO_STREAMS = "server-sse-streams-functional INFO";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void the_gateway_conforms_wherever_the_server_behind_it_does() {
        Map<String, List<String>> direct = Suite.direct(SESSIONS).checks(folder.resolve("direct"));
        Map<String, List<String>> through;
        try (Gateway gateway = Gateway.overHttp(Served.fixture().configuration(folder))) {
            through = Suite.at(SESSIONS, gateway.url()).checks(folder.resolve("through"));
        }

        for (String scenario : REQUIRED) {
            assertThat(through.get(scenario))
                    .as(scenario)
                    .isNotEmpty()
                    .allMatch(check -> check.endsWith(" SUCCESS") || check.equals(NO_STREAMS))
                    .isEqualTo(withoutStreams(direct.getOrDefault(scenario, List.of())));
        }
    }

    private static List<String> withoutStreams(List<String> verdicts) {
        return verdicts.stream()
                .map(verdict -> verdict.equals(STREAMS) ? NO_STREAMS : verdict)
                .toList();
    }
}
