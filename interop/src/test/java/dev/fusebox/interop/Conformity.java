package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The expected verdicts of the conformance suite, taken from a run against the test kit's server without a
/// gateway. Thread-safe; the first query waits for a run of the suite.
final class Conformity {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /// Where nothing comes before the answer, our server sends a stream all the same and the gateway plain JSON.
    /// The suite takes either, and only notes that it saw no streams.
    private static final String STREAMS = "server-sse-streams-functional SUCCESS";

    private static final String NO_STREAMS = "server-sse-streams-functional INFO";

    /// It wants a server that drops the line of a call. One behind the gateway may do so, and the gateway mends
    /// it; it drops no line of its own. The revision does not require it.
    private static final String DROPPED_LINES = "server-sse-polling";

    private static final Map<Revision, Map<String, List<String>>> EXPECTED = new EnumMap<>(Revision.class);

    private Conformity() {}

    /// The revisions whose requirements the suite knows, one of each era.
    enum Revision {
        SESSIONS("2025-11-25"),
        STATELESS("2026-07-28");

        private final String date;

        Revision(String date) {
            this.date = date;
        }

        /// The checks of each scenario with their verdicts, at a gateway before a server that can do everything.
        Map<String, List<String>> expected() {
            synchronized (EXPECTED) {
                return EXPECTED.computeIfAbsent(this, Revision::direct);
            }
        }

        private Map<String, List<String>> direct() {
            Map<String, List<String>> found = alone();
            assertThat(found.keySet()).containsAll(required());
            found.replaceAll((scenario, verdicts) -> verdicts.stream()
                    .map(verdict -> verdict.equals(STREAMS) ? NO_STREAMS : verdict)
                    .toList());
            found.remove(DROPPED_LINES);
            return Map.copyOf(found);
        }

        /// Once more if a check fails: some allow 0.5 s, and a busy machine needs more now and then.
        private Map<String, List<String>> alone() {
            try {
                return Suite.direct(date).checks(scratch());
            } catch (AssertionError failed) {
                return Suite.direct(date).checks(scratch());
            }
        }

        /// The verdicts at a gateway, which are to be the expected ones. Once more if they are not, as [#alone].
        Map<String, List<String>> settled(String url, Path output) {
            Map<String, List<String>> first = verdicts(url, output.resolve("1"));
            return first.equals(expected()) ? first : verdicts(url, output.resolve("2"));
        }

        /// The same, as they are there.
        Map<String, List<String>> verdicts(String url, Path output) {
            Map<String, List<String>> found = Suite.at(date, url).verdicts(output);
            found.remove(DROPPED_LINES);
            return found;
        }

        /// The verdicts of a single scenario.
        List<String> verdicts(String scenario, String url, Path output) {
            return Suite.at(date, url).scenario(scenario, output);
        }

        Set<String> required() {
            return Suite.required(date);
        }

        /// How many of the required scenarios have nothing but good verdicts.
        long passed(Map<String, List<String>> verdicts) {
            return required().stream()
                    .map(scenario -> verdicts.getOrDefault(scenario, List.of(" FAILURE")))
                    .filter(checks ->
                            checks.stream().noneMatch(it -> it.endsWith(" FAILURE") || it.endsWith(" WARNING")))
                    .count();
        }

        @Override
        public String toString() {
            return date;
        }
    }

    private static Path scratch() {
        try {
            return Files.createTempDirectory("conformity-").resolve("direct");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a call of the stateless era that could be asked something, and waits for its answer.
    static void callAbleToBeAsked(String url) throws IOException, InterruptedException {
        String call = """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_simple_text", "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {"elicitation":{}}}}}""";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(LIMIT)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/call")
                    .header("Mcp-Name", "test_simple_text")
                    .POST(HttpRequest.BodyPublishers.ofString(call))
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("This is a simple text response");
        }
    }
}
