package dev.fusebox.cli;

import dev.fusebox.gateway.config.ServerFile;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A gateway in this process as `serve` makes it of a configuration, and a client of the stateless era in front of it.
final class ServedHere implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Backend backend;
    private final McpHttp front;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServedHere(Backend backend, McpHttp front) {
        this.backend = backend;
        this.front = front;
    }

    /// @param config text of a configuration
    static ServedHere of(World world, Path folder, String config) throws Exception {
        Path file = Files.writeString(Files.createTempFile(folder, "config", ".json"), config);
        Backend backend = Backend.open(world, ServerFile.read(file));
        return new ServedHere(
                backend, McpHttp.open(world, HttpSettings.loopback(0), backend.served(), Secrets.system()));
    }

    JsonView tools() throws IOException, InterruptedException {
        return tools(LONG);
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

    @Override
    public void close() throws InterruptedException {
        client.close();
        front.close(Duration.ofMillis(1));
        backend.close();
    }
}
