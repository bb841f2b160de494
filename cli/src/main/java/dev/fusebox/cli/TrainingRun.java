package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// A training workload for the launcher's AOT cache: serves a scripted server over both front ends, and over HTTP
/// a gateway behind another one, with calls and searches. Used once; blocks for a few seconds.
///
/// Over HTTP it listens on two free loopback ports. Parts that are unavailable here (no shell, no loopback) are
/// skipped without an error.
final class TrainingRun {
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// Calls over each front end. The cache keeps the JVM's profiles of code that ran often, so that a gateway
    /// compiles its hot path well from the start.
    static final int CALLS = 2_000;

    private static final String INITIALIZE = """
            {"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},\
            "clientInfo":{"name":"training","version":"1"}}""";

    static final int SEARCHES = 300;

    /// Tools with embeddings, which are slow to compute.
    private static final int SEMANTIC_TOOLS = 12;

    private static final String TOOL = """
            {"description":"Reads files in which a project keeps what it needs."}""";

    private static final int MANY_TOOLS = 1_500;

    private static final String INITIALIZED = """
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static final String CALL = """
            {"name":"echo","arguments":{"message":"hello"}}""";

    private static final String SEARCH = """
            {"name":"mcp_discover","arguments":{"query":"look into the files of a project"}}""";

    private final Platform platform;

    TrainingRun(Platform platform) {
        this.platform = platform;
    }

    /// Returns the number of answers: one for each handshake, call and search if all of it ran.
    int run() {
        try {
            int answers = call() + discover();
            searchSemantically();
            indexMany();
            return answers;
        } catch (IOException | ServeOptions.Problem | GatewayException untrained) {
            // The cache contains what has run so far.
            return 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private int call() throws IOException, InterruptedException, ServeOptions.Problem, GatewayException {
        Configuration configuration = configuration(TrainingServer.ENTRY, "proxy", "--no-prefix");
        try (GatewayCore gateway =
                GatewayCore.open(platform, configuration, options(new ServeMode(true, GatewayClients.MANY)))) {
            return overStdio(gateway.service(), CALLS, CALL) + overHttp(gateway.service(), true);
        }
    }

    /// The first start lists the tools, the second one reads them from the store.
    private int discover() throws IOException, InterruptedException, ServeOptions.Problem, GatewayException {
        Configuration configuration = configuration(TrainingServer.ENTRY, "meta");
        TrainingStore store = new TrainingStore();
        int answers = 0;
        for (int start = 0; start < 2; start++) {
            try (GatewayCore gateway = GatewayCore.open(
                    platform, configuration, options(ServeMode.TO_MANY).with(PersistentState.listsIn(store)))) {
                answers += overStdio(gateway.service(), SEARCHES, SEARCH);
            }
        }
        return answers;
    }

    private static CoreOptions options(ServeMode serveMode) {
        return CoreOptions.of(serveMode).with(WorkerLauncher::program);
    }

    private Configuration configuration(String server, String expose, String... more)
            throws IOException, ServeOptions.Problem {
        Path config = Files.createTempFile("fusebox-training", ".json");
        try {
            Files.writeString(
                    config, "{\"mcpServers\":{\"training\":" + server + "},\"discovery\":{\"semantic\":\"off\"}}");
            List<String> words = new ArrayList<>(List.of(more));
            words.addAll(List.of("--config", config.toString(), "--transport", "stdio", "--expose", expose));
            ServeOptions options = ServeOptions.parse(words);
            ReadResult readResult = ConfigPlace.find(options.config(), platform).read(platform, options.overrides());
            return switch (readResult) {
                case ReadResult.Usable usable -> usable.configuration();
                case ReadResult.Refused refused ->
                    throw new ServeOptions.Problem(refused.problems().getFirst().toString());
            };
        } finally {
            Files.delete(config);
        }
    }

    private int overStdio(GatewayService service, int times, String call) throws InterruptedException {
        var asked = new StringBuilder(line(0, "initialize", INITIALIZE)).append(INITIALIZED);
        for (int id = 1; id <= times; id++) {
            asked.append(line(id, "tools/call", call));
        }
        byte[] lines = asked.toString().getBytes(StandardCharsets.UTF_8);
        var answers = new ByteArrayOutputStream();
        var streams = new StdioFrontEnd.Streams(new ByteArrayInputStream(lines), answers);
        var left = new Promise<Boolean>();
        var front = new StdioFrontEnd(platform, service, SecretIds.system(), streams);
        front.start(() -> left.complete(true));
        left.await(platform, DRAIN);
        front.close(DRAIN);
        return (int) answers.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("\"result\""))
                .count();
    }

    private static String line(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}\n";
    }

    /// @param again whether to put another gateway in front of this one
    private int overHttp(GatewayService service, boolean again)
            throws IOException, InterruptedException, ServeOptions.Problem, GatewayException {
        McpHttpFront front = McpHttpFront.open(platform, HttpSettings.loopback(0), service, SecretIds.system());
        try {
            return converse(front.port()) + (again ? overTwo(front.port()) : 0);
        } finally {
            front.close(DRAIN);
        }
    }

    private int overTwo(int port) throws IOException, InterruptedException, ServeOptions.Problem, GatewayException {
        String server = "{\"url\":\"http://127.0.0.1:" + port + "/mcp\"}";
        Configuration configuration = configuration(server, "proxy", "--no-prefix");
        try (GatewayCore gateway =
                GatewayCore.open(platform, configuration, options(new ServeMode(true, GatewayClients.MANY)))) {
            return overHttp(gateway.service(), false);
        }
    }

    private int converse(int port) throws IOException {
        try (LocalClient client = new LocalClient(platform, port)) {
            return converse(client);
        }
    }

    /// Returns the number of answers.
    static int converse(LocalClient client) throws IOException {
        int answered = isResult(client.ask("initialize", INITIALIZE));
        client.tell("notifications/initialized");
        for (int call = 0; call < CALLS; call++) {
            answered += isResult(client.ask("tools/call", CALL));
        }
        return answered;
    }

    /// Runs semantic searches.
    private void searchSemantically() throws InterruptedException {
        List<AvailableTools.Tool> all = IntStream.range(0, SEMANTIC_TOOLS)
                .mapToObj(number -> new AvailableTools.Tool("server", "read_file" + number, JsonView.of(TOOL), false))
                .toList();
        AvailableTools availableTools = new AvailableTools("training", all);
        ToolSearch search = new ToolSearch(platform, SemanticMode.ON);
        for (int searches = 0; searches < SEARCHES; searches++) {
            search.find(availableTools, new ToolSearch.Query("look into the files of a project", tool -> true, 15));
        }
    }

    private static int isResult(JsonView answer) {
        return answer.member("result") == null ? 0 : 1;
    }

    /// Indexes as many tools as fifty servers have, which the first search after a start waits for.
    private void indexMany() {
        List<AvailableTools.Tool> tools = new ArrayList<>();
        for (int i = 0; i < MANY_TOOLS; i++) {
            String template = """
                    {"description":"Reads file %, in which a project keeps what it needs, and returns its content with \
                    the encoding of part %. Optionally searches it for words and (regular) expressions.",\
                    "inputSchema":{"properties":{"path":{"type":"string","description":"where it is, below folder %"},\
                    "maxLines":{"type":"integer","description":"the most lines of section % to return"}}}}""";
            String definition = template.replace("%", String.valueOf(i));
            tools.add(new AvailableTools.Tool("training" + i % 50, "readFile_" + i, JsonView.of(definition), false));
        }
        new ToolSearch(platform, SemanticMode.AUTO).index(new AvailableTools("many", tools));
    }
}
