package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The scenarios of the conformance suite about skills, which no revision requires.
///
/// Over five seconds: each scenario is a process, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(600)
class SkillsConformanceTest {
    private static final List<String> SCENARIOS =
            List.of("sep-2640-skills-enumeration", "sep-2640-skills-directory", "sep-2640-skills-manifest");

    private static final String REVISION = "2026-07-28";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    private Map<String, List<String>> verdicts(String url) {
        Map<String, List<String>> found = new TreeMap<>();
        for (String scenario : SCENARIOS) {
            found.put(scenario, Suite.at(REVISION, url).scenario(scenario, folder.resolve(scenario)));
        }
        return found;
    }

    private static void assertPassed(Map<String, List<String>> verdicts) {
        assertThat(verdicts)
                .hasSize(SCENARIOS.size())
                .allSatisfy((scenario, checks) ->
                        assertThat(checks).hasSizeGreaterThan(4).allMatch(check -> check.endsWith(" SUCCESS")));
    }

    private static Served server(Era era) {
        return new Served(
                ScriptedServer.stdio(ServerScript.faultless().withEra(era).withExtensions()), Map.of());
    }

    @Test
    void server_with_skills_passes() throws IOException {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withExtensions())) {
            assertPassed(verdicts(server.uri().toString()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void server_with_skills_passes_through_the_gateway(Era era) {
        try (Gateway gateway = Gateway.overHttp(server(era).configuration(folder))) {
            assertPassed(verdicts(gateway.url()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void server_with_skills_passes_among_others(Era era) throws IOException, InterruptedException {
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put("other", Served.ofPackage("@modelcontextprotocol/server-everything", "stdio"));
        servers.put("peer", server(era));
        servers.put("more", Served.fixture(Era.BOTH));
        try (Gateway gateway = Gateway.ofMany(Configuration.of(folder, servers))) {
            awaitLists(gateway.url());

            assertPassed(verdicts(gateway.url()));
        }
    }

    /// The first list waits for all servers. Before that the gateway does not know which of them has skills.
    private static void awaitLists(String url) throws IOException, InterruptedException {
        String list = """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}}}""";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(LIMIT)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/list")
                    .POST(HttpRequest.BodyPublishers.ofString(list))
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("other__", "peer__", "more__");
        }
    }
}
