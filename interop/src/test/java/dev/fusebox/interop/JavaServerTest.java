package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A server built with the official Java SDK, called by the official TypeScript client: lists and results are the
/// same through the gateway, to the last byte of their JSON.
///
/// Over five seconds: the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class JavaServerTest {
    private static final String CALLS = """
            [{"name": "echo", "arguments": {"text": "Grüße 🌍"}},
             {"name": "sum", "arguments": {"a": 2, "b": 40}},
             {"name": "steps", "arguments": {}},
             {"name": "logs", "arguments": {}},
             {"name": "sample", "arguments": {}},
             {"name": "ask", "arguments": {}},
             {"name": "roots", "arguments": {}},
             {"name": "fail", "arguments": {}},
             {"name": "nothing", "arguments": {}}]""";

    private static final String THROWN = "[{\"name\": \"throw\", \"arguments\": {}}]";

    /// Over HTTP this server now and then drops the connection in place of an answer when a tool throws for the
    /// first times, also a new one to a client without a gateway: there is nothing to compare with.
    private static final String THROWS = CALLS.replace("]", ", {\"name\": \"throw\", \"arguments\": {}}]");

    /// The calls of the list that give a result in either era.
    private static final int RESULTS = 8;

    @TempDir
    private Path folder = Path.of("");

    private static SharedServer listening;

    @BeforeAll
    static void start(@TempDir Path shared) {
        listening = new SharedServer(Listening.java(), shared);
    }

    @AfterAll
    static void end() {
        listening.close();
    }

    @ParameterizedTest
    @EnumSource
    void java_server_is_same_over_stdio(Way way) {
        Served server = Served.java();
        JsonView direct = Scripts.run("calls.mjs", server.direct(), THROWS);
        JsonView through =
                way.through(server.configuration(folder), target -> Scripts.run("calls.mjs", target, THROWS));

        assertThat(through.json()).isEqualTo(direct.json());
        assertComplete(through);
        assertThat(through.json()).contains("thrown");
    }

    @ParameterizedTest
    @EnumSource
    void java_server_is_same_over_http(Way way) {
        JsonView through = listening.through(way, "calls.mjs", CALLS);

        assertThat(through.json()).isEqualTo(listening.direct(CALLS).json());
        assertComplete(through);
    }

    @ParameterizedTest
    @EnumSource
    void throwing_tool_over_http_is_error_or_unknown_outcome(Way way) {
        JsonView through = listening.through(way, "calls.mjs", THROWN);
        JsonView call = Scripts.part(through, "calls").elements().getFirst();
        JsonView outcome = call.path("_meta", "fusebox/error", "outcome");
        if (outcome == null) {
            assertThat(call.json()).isEqualTo("{\"error\":{\"code\":-32603,\"message\":\"thrown\"}}");
        } else {
            assertThat(outcome.json()).isEqualTo("\"unknown\"");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SSE", mode = EnumSource.Mode.EXCLUDE)
    void stateless_client_gets_same_results(Way way) {
        String calls = JsonView.of(CALLS).elements().subList(0, RESULTS).toString();
        JsonView through = listening.through(way, "modern.mjs", calls);

        assertThat(through.string("era")).isEqualTo("modern");
        assertThat(contents(through)).hasSize(RESULTS).isEqualTo(contents(listening.direct(calls)));
    }

    private static List<String> contents(JsonView seen) {
        return Scripts.part(seen, "calls").elements().stream()
                .map(call -> Scripts.part(call, "content").json())
                .toList();
    }

    private static void assertComplete(JsonView seen) {
        for (String list : List.of("initialize", "tools", "resources", "prompts")) {
            assertThat(Scripts.part(seen, list).json()).isNotEqualTo("[]");
        }
        assertThat(Scripts.part(seen, "initialize").json()).contains("java-server", "A server for tests.");
        assertThat(Scripts.part(seen, "calls").json())
                .contains("Grüße 🌍", "\"structuredContent\":{\"sum\":42}", "went there", "logged")
                .contains("heard: What is new?", "ACCEPT", "file:///somewhere")
                .contains("it is broken", "\"error\"");
    }
}
