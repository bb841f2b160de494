package dev.fusebox.cli;

import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.Children;
import dev.fusebox.gateway.config.ServerFile;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.gateway.mcp.SessionSettings;
import dev.fusebox.gateway.mcp.StdioFront;
import dev.fusebox.gateway.stateless.Served;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Serves a server of its own to itself, over both fronts, so that the launcher's training run meets what a start of
/// `serve` meets. Used once; blocks for some hundred milliseconds.
///
/// Over HTTP it listens on a free loopback port for as long as that takes. What cannot be had here (no shell, no
/// loopback) stays untrained and is no failure.
final class Rehearsal {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// Answers every request with an empty result. Its own text, so that nothing has to be found on this machine.
    private static final String SERVER = "while IFS= read -r line; do case $line in *'\"id\":'*) "
            + "id=${line#*'\"id\":'}; printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\\n' \"${id%%[,\\}]*}\"; esac; done";

    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"rehearsal","version":"1"}}}""";

    private static final String INITIALIZED = """
            {"jsonrpc":"2.0","method":"notifications/initialized"}""";

    private static final String CALL = """
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}""";

    private final World world;

    Rehearsal(World world) {
        this.world = world;
    }

    void run() {
        try (Children children = Children.open(world)) {
            ServerFile file = configuration();
            var connector = new StdioConnector(file.name(), children, file.spec());
            var served = Served.of(SessionSettings.of(file.name()), connector);
            overStdio(served);
            overHttp(served);
        } catch (IOException | ServerFile.Problem | ServeOptions.Problem untrained) {
            // What was met so far is in the cache.
            return;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static ServerFile configuration() throws IOException, ServerFile.Problem, ServeOptions.Problem {
        Path config = Files.createTempFile("fusebox-rehearsal", ".json");
        try {
            String script = SERVER.replace("\\", "\\\\").replace("\"", "\\\"");
            Files.writeString(
                    config,
                    "{\"mcpServers\":{\"rehearsal\":{\"command\":\"sh\",\"args\":[\"-c\",\"" + script + "\"]}}}");
            List<String> words =
                    List.of("--config", config.toString(), "--transport", "stdio", "--expose", "proxy", "--no-prefix");
            return ServerFile.read(ServeOptions.parse(words).config());
        } finally {
            Files.delete(config);
        }
    }

    private void overStdio(Served served) throws InterruptedException {
        byte[] lines = (INITIALIZE + "\n" + INITIALIZED + "\n" + CALL + "\n").getBytes(StandardCharsets.UTF_8);
        var streams = new StdioFront.Streams(new ByteArrayInputStream(lines), OutputStream.nullOutputStream());
        new StdioFront(world, served.settings(), served.connector(), streams).run(DRAIN);
    }

    private void overHttp(Served served) throws IOException {
        try (McpHttp front = McpHttp.open(world, HttpSettings.loopback(0), served, Secrets.system());
                Socket client = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), front.port())) {
            String answer = ask(client, "POST", "", INITIALIZE);
            String id = answer.lines()
                    .filter(line -> line.startsWith("Mcp-Session-Id: "))
                    .findFirst()
                    .map(line -> line + "\r\n")
                    .orElse("");
            ask(client, "POST", id, INITIALIZED);
            ask(client, "POST", id, CALL);
            ask(client, "DELETE", id, "");
        }
    }

    /// Each answer is short and comes in one write.
    private static String ask(Socket client, String method, String header, String body) throws IOException {
        String head = method + " /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + client.getPort()
                + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + header
                + "Content-Length: " + body.length() + "\r\n\r\n";
        client.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
        byte[] answer = new byte[4096];
        int count = client.getInputStream().read(answer);
        return new String(answer, 0, Math.max(count, 0), StandardCharsets.ISO_8859_1);
    }
}
