package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.gateway.config.ServerFile;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.testkit.server.Era;
import dev.fusebox.testkit.server.FaultKind;
import dev.fusebox.testkit.server.FixtureServer;
import dev.fusebox.testkit.server.Script;
import dev.fusebox.testkit.server.ScriptedServer;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the keys of a configuration change, seen by a client of the stateless era in front of a real server.
@Timeout(120)
class BackendTest {
    private static final World WORLD = World.system();
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    /// A gateway as `serve` makes it.
    private final class Gateway implements AutoCloseable {
        private final Backend backend;
        private final McpHttp front;
        private final HttpClient client = HttpClient.newHttpClient();

        Gateway(String server, String more) throws Exception {
            Path file = Files.writeString(
                    folder.resolve("config.json"), "{\"mcpServers\":{\"one\":{" + server + "}}" + more + "}");
            backend = Backend.open(WORLD, ServerFile.read(file));
            front = McpHttp.open(WORLD, HttpSettings.loopback(0), backend.served(), Secrets.system());
        }

        JsonView tools(Duration limit) throws IOException, InterruptedException {
            String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                    + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.port() + "/mcp"))
                    .timeout(limit)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("Mcp-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/list")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return JsonView.of(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }

        /// Our own server lets lists be kept for a minute, and what is translated may not be kept at all.
        String kept() throws IOException, InterruptedException {
            return String.valueOf(tools(LONG).path("result", "ttlMs"));
        }

        @Override
        public void close() throws InterruptedException {
            client.close();
            front.close(Duration.ofMillis(1));
            backend.close();
        }
    }

    private static String process(Script script) {
        List<String> command = ScriptedServer.stdio(script);
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray();
    }

    @ParameterizedTest
    @CsvSource({"'',60000", "auto,60000", "modern,60000", "legacy,0"})
    void era_is_spoken_to_a_server_of_both(String era, String kept) throws Exception {
        String key = era.isEmpty() ? "" : ",\"era\":\"" + era + "\"";
        Script both = Script.faultless().withEra(Era.BOTH);
        try (FixtureServer server = FixtureServer.start(both);
                Gateway overHttp = new Gateway("\"url\":\"" + server.uri() + "\"" + key, "");
                Gateway asProcess = new Gateway(process(both) + key, "")) {
            assertThat(overHttp.kept()).isEqualTo(kept);
            assertThat(asProcess.kept()).isEqualTo(kept);
        }
    }

    @Test
    void limits_era_probe_ms_is_how_long_a_silent_server_is_waited_for() throws Exception {
        String silent = process(Script.faultless().withEra(Era.LEGACY).with(FaultKind.HANG_ON_DISCOVER));
        try (Gateway brief = new Gateway(silent, ",\"limits\":{\"eraProbeMs\":50}")) {
            assertThat(brief.kept()).isEqualTo("0");
        }
        try (Gateway patient = new Gateway(silent, ",\"limits\":{\"eraProbeMs\":60000}")) {
            assertThatThrownBy(() -> patient.tools(Duration.ofSeconds(2))).isInstanceOf(HttpTimeoutException.class);
        }
    }
}
