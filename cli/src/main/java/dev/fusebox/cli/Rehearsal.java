package dev.fusebox.cli;

import dev.fusebox.client.Arrival;
import dev.fusebox.gateway.config.ConfigFile;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.gateway.mcp.StdioFront;
import dev.fusebox.gateway.meta.Offered;
import dev.fusebox.gateway.meta.Semantic;
import dev.fusebox.gateway.meta.ToolSearch;
import dev.fusebox.gateway.stateless.Service;
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
import java.util.stream.IntStream;

/// Serves a server of its own to itself, over both fronts, and then over HTTP what it serves over HTTP, so that the
/// launcher's training run meets what a start of `serve` meets, and knows what a call and a search are made of. Used
/// once; blocks for a few seconds.
///
/// Over HTTP it listens on two free loopback ports for as long as that takes. What cannot be had here (no shell, no
/// loopback) stays untrained and is no failure.
final class Rehearsal {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// Calls on each way. The cache keeps what the JVM has learned about code that ran often, so that a gateway
    /// compiles its hot path well from the beginning on.
    static final int CALLS = 900;

    /// Answers every request with an empty result. Its own text, so that nothing has to be found on this machine.
    private static final String SERVER = "while IFS= read -r line; do case $line in *'\"id\":'*) "
            + "id=${line#*'\"id\":'}; printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\\n' "
            + "\"${id%%[,\\}]*}\"; esac; done";

    private static final String INITIALIZE = """
            {"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},\
            "clientInfo":{"name":"rehearsal","version":"1"}}""";

    private static final int SEARCHES = 300;

    /// Tools that are searched by their words, and those that the model reads, which takes it much longer.
    private static final int TOOLS = 500;

    private static final int MEANT = 12;

    private static final String TOOL = """
            {"description":"Reads files in which a project keeps what it needs. Gives their contents as text.",\
            "inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"where it is"}}}}""";

    private static final String INITIALIZED = """
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static final String CALL = """
            {"name":"echo","arguments":{"message":"hello"}}""";

    private final World world;

    Rehearsal(World world) {
        this.world = world;
    }

    /// Gives the number of answers that came: one for each handshake and one for each call if all of it could be
    /// rehearsed.
    int run() {
        String script = SERVER.replace("\\", "\\\\").replace("\"", "\\\"");
        String child = "{\"command\":\"sh\",\"args\":[\"-c\",\"" + script + "\"]}";
        try (Backend backend = Backend.open(world, configuration(child), new Manner(true, false))) {
            int answers = overStdio(backend.service()) + overHttp(backend.service(), true);
            search(TOOLS, Semantic.OFF);
            search(MEANT, Semantic.ON);
            return answers;
        } catch (IOException | ServeOptions.Problem untrained) {
            // What was met so far is in the cache.
            return 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private Configuration configuration(String server) throws IOException, ServeOptions.Problem {
        Path config = Files.createTempFile("fusebox-rehearsal", ".json");
        try {
            Files.writeString(config, "{\"mcpServers\":{\"rehearsal\":" + server + "}}");
            List<String> words =
                    List.of("--config", config.toString(), "--transport", "stdio", "--expose", "proxy", "--no-prefix");
            ServeOptions options = ServeOptions.parse(words);
            Reading reading = ConfigFile.read(world, ConfigPlace.find(options.config(), world), options.overrides());
            return switch (reading) {
                case Reading.Usable usable -> usable.configuration();
                case Reading.Refused refused ->
                    throw new ServeOptions.Problem(refused.problems().getFirst().toString());
            };
        } finally {
            Files.delete(config);
        }
    }

    private int overStdio(Service service) throws InterruptedException {
        var asked = new StringBuilder(line(0, "initialize", INITIALIZE)).append(INITIALIZED);
        for (int id = 1; id <= CALLS; id++) {
            asked.append(line(id, "tools/call", CALL));
        }
        byte[] lines = asked.toString().getBytes(StandardCharsets.UTF_8);
        var answers = new ByteArrayOutputStream();
        var streams = new StdioFront.Streams(new ByteArrayInputStream(lines), answers);
        var left = new Arrival<Boolean>();
        var front = new StdioFront(world, service, Secrets.system(), streams);
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

    /// @param again whether to put another gateway before this one
    private int overHttp(Service service, boolean again)
            throws IOException, InterruptedException, ServeOptions.Problem {
        McpHttp front = McpHttp.open(world, HttpSettings.loopback(0), service, Secrets.system());
        try {
            return converse(front.port()) + (again ? overTwo(front.port()) : 0);
        } finally {
            front.close(DRAIN);
        }
    }

    private int overTwo(int port) throws IOException, InterruptedException, ServeOptions.Problem {
        String server = "{\"url\":\"http://127.0.0.1:" + port + "/mcp\"}";
        try (Backend backend = Backend.open(world, configuration(server), new Manner(true, false))) {
            return overHttp(backend.service(), false);
        }
    }

    private int converse(int port) throws IOException {
        try (LocalClient client = new LocalClient(world, port)) {
            int answered = isResult(client.ask("initialize", INITIALIZE));
            client.tell("notifications/initialized");
            for (int call = 0; call < CALLS; call++) {
                answered += isResult(client.ask("tools/call", CALL));
            }
            return answered;
        }
    }

    /// Looks for tools by their words, and by their meaning.
    private void search(int tools, Semantic semantic) throws InterruptedException {
        List<Offered.Tool> all = IntStream.range(0, tools)
                .mapToObj(number -> new Offered.Tool("server", "read_file" + number, JsonView.of(TOOL), false))
                .toList();
        Offered offered = new Offered("rehearsal", all);
        ToolSearch search = new ToolSearch(world, semantic);
        search.index(offered);
        for (int searches = 0; searches < SEARCHES; searches++) {
            search.find(offered, new ToolSearch.Query("look into the files of a project", tool -> true, 15));
        }
    }

    private static int isResult(JsonView answer) {
        return answer.member("result") == null ? 0 : 1;
    }
}
