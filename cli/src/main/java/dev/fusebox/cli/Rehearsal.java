package dev.fusebox.cli;

import dev.fusebox.client.Arrival;
import dev.fusebox.gateway.config.ServerFile;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.gateway.mcp.StdioFront;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Serves a server of its own to itself, over both fronts, so that the launcher's training run meets what a start of
/// `serve` meets. Used once; blocks for some hundred milliseconds.
///
/// Over HTTP it listens on a free loopback port for as long as that takes. What cannot be had here (no shell, no
/// loopback) stays untrained and is no failure.
final class Rehearsal {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// Answers every request with an empty result. Its own text, so that nothing has to be found on this machine.
    private static final String SERVER = "while IFS= read -r line; do case $line in *'\"id\":'*) "
            + "id=${line#*'\"id\":'}; printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\\n' "
            + "\"${id%%[,\\}]*}\"; esac; done";

    private static final String INITIALIZE = """
            {"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},\
            "clientInfo":{"name":"rehearsal","version":"1"}}""";

    private static final String INITIALIZED = """
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static final String CALL = """
            {"name":"echo","arguments":{"message":"hello"}}""";

    private final World world;

    Rehearsal(World world) {
        this.world = world;
    }

    /// Gives the number of answers that came: four if all of it could be rehearsed.
    int run() {
        try (Backend backend = Backend.open(world, configuration())) {
            return overStdio(backend.served()) + overHttp(backend.served());
        } catch (IOException | ServerFile.Problem | ServeOptions.Problem untrained) {
            // What was met so far is in the cache.
            return 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 0;
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

    private int overStdio(Served served) throws InterruptedException {
        byte[] lines = (line(1, "initialize", INITIALIZE) + INITIALIZED + line(2, "tools/call", CALL))
                .getBytes(StandardCharsets.UTF_8);
        var answers = new ByteArrayOutputStream();
        var streams = new StdioFront.Streams(new ByteArrayInputStream(lines), answers);
        var left = new Arrival<Boolean>();
        var front = new StdioFront(world, served, Secrets.system(), streams);
        front.start(() -> left.bring(true));
        left.await(world, DRAIN);
        front.close(DRAIN);
        return (int) answers.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("\"result\""))
                .count();
    }

    private static String line(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}\n";
    }

    private int overHttp(Served served) throws IOException, InterruptedException {
        McpHttp front = McpHttp.open(world, HttpSettings.loopback(0), served, Secrets.system());
        try (LocalClient client = new LocalClient(world, front.port())) {
            JsonView hello = client.ask("initialize", INITIALIZE);
            client.tell("notifications/initialized");
            JsonView echo = client.ask("tools/call", CALL);
            return (int) Stream.of(hello, echo)
                    .filter(answer -> answer.member("result") != null)
                    .count();
        } finally {
            front.close(DRAIN);
        }
    }
}
