package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The first part of the demo: the real gateway before four servers, of which one works, one has a tool that
/// crashes it now and then, one has a tool that crashes it always, and one does not start. All thresholds are the
/// default ones. For one thread; [#play] blocks for some seconds.
final class DemoGateway {
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final int CRASHES = 3;
    private static final int FAILED_STARTS = 5;
    private static final int COOLDOWN_MILLIS = 1_500;

    /// Three Java programs start at once, and a list waits for each of them for a second only.
    private static final int MOST_LISTS = 40;

    private static final Duration BEAT = Duration.ofMillis(100);
    private static final Set<String> TOOLS =
            Set.of("healthy/greet", "flaky/forecast", "crashing/greet", "crashing/crash");
    private static final String QUERY = "greet somebody, get the forecast, or crash";

    private final Platform platform;
    private final DemoNarrator teller;
    private final Gateway gateway;
    private final McpHttpFront front;
    private final Path mood;

    /// What runs, and the file that counts calls.
    private record Running(Gateway gateway, McpHttpFront front, Path mood) {}

    private DemoGateway(Platform platform, DemoNarrator teller, Running running) {
        this.platform = platform;
        this.teller = teller;
        this.gateway = running.gateway();
        this.front = running.front();
        this.mood = running.mood();
    }

    /// Opens the gateway on this port, or on any free one if somebody has it.
    static DemoGateway open(Platform platform, DemoNarrator teller, int port) throws IOException {
        return open(platform, teller, port, Files.createTempFile("fusebox-demo", ".count"));
    }

    /// @param mood an empty file, which is gone with the gateway, or if there is none
    static DemoGateway open(Platform platform, DemoNarrator teller, int port, Path mood) throws IOException {
        try {
            return opened(platform, teller, port, mood);
        } catch (IOException | RuntimeException failed) {
            forget(mood);
            throw failed;
        }
    }

    private static DemoGateway opened(Platform platform, DemoNarrator teller, int port, Path mood) throws IOException {
        byte[] config = config(mood).getBytes(StandardCharsets.UTF_8);
        try {
            if (!(ConfigFile.read(HostEnvironments.of(platform), Path.of("demo.json"), config)
                    instanceof ReadResult.Usable usable)) {
                throw new IOException("the demo has no configuration that can be used");
            }
            Gateway gateway = Gateway.open(platform, usable.configuration(), ServeMode.TO_MANY);
            try {
                return new DemoGateway(
                        platform, teller, new Running(gateway, listening(platform, teller, gateway, port), mood));
            } catch (IOException | RuntimeException unheard) {
                gateway.close();
                throw unheard;
            }
        } catch (ServeOptions.Problem problem) {
            throw new IOException(problem.getMessage(), problem);
        }
    }

    private static McpHttpFront listening(Platform platform, DemoNarrator teller, Gateway gateway, int port)
            throws IOException {
        McpHttpFront.Beside beside =
                new McpHttpFront.Beside(SecretIds.system(), gateway.adminApi().forAll(() -> null));
        try {
            return McpHttpFront.open(platform, HttpSettings.loopback(port), gateway.service(), beside);
        } catch (IOException taken) {
            if (!(taken.getCause() instanceof BindException)) {
                throw taken;
            }
            String owner = PortConflict.owner(platform, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .orElse("another program");
            teller.words("Port " + port + " is in use by " + owner + "; the demo listens on a free port instead.");
            return McpHttpFront.open(platform, HttpSettings.loopback(0), gateway.service(), beside);
        }
    }

    /// Only the cooldowns are shorter than usual.
    private static String config(Path mood) {
        JsonWriter config = new JsonWriter().beginObject().name("mcpServers").beginObject();
        for (String kind : List.of("healthy", "flaky", "crashing")) {
            server(config.name(kind), List.of("demo-server", kind, mood.toString()));
        }
        config.name("absent").raw("{\"command\":\"/nowhere/server\"}");
        config.endObject().name("expose").string("both");
        for (String breaker : List.of("breaker", "toolBreaker")) {
            config.name(breaker)
                    .beginObject()
                    .name("cooldownMs")
                    .number(COOLDOWN_MILLIS)
                    .endObject();
        }
        return config.endObject().toString();
    }

    /// This very program, started again as a server.
    private static void server(JsonWriter into, List<String> words) {
        List<String> args = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        String modules = System.getProperty("jdk.module.path");
        if (modules == null) {
            args.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        } else {
            args.addAll(List.of("-p", modules, "-m", "dev.fusebox.cli/" + Main.class.getName()));
        }
        args.addAll(words);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        into.beginObject()
                .name("command")
                .string(java)
                .name("era")
                .string("legacy")
                .name("args")
                .beginArray();
        args.forEach(into::string);
        into.endArray().endObject();
    }

    Gateway gateway() {
        return gateway;
    }

    String address() {
        return "http://127.0.0.1:" + front.port() + "/mcp";
    }

    // ---- The story

    void play() throws IOException, InterruptedException {
        teller.chapter("The gateway listens on " + address() + ". Behind it are four servers: healthy, flaky,"
                + " crashing, and absent, which does not start.");
        try (LocalClient client = new LocalClient(platform, front.port())) {
            connect(client);
            discover(client);
            call(client, "healthy__greet", "Hello, Ada!");
            crash(client);
            trip(client);
            Duration wait = refuse(client);
            recover(client, wait);
            absent(client);
        }
    }

    private void connect(LocalClient client) throws IOException {
        long started = platform.ticker().nanos();
        client.ask(
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"demo\",\"version\":\"1\"}}");
        client.tell("notifications/initialized");
        tell("connects", "and no server had to be started for that", started);
    }

    private void discover(LocalClient client) throws IOException, InterruptedException {
        long started = platform.ticker().nanos();
        Set<String> found = found(client);
        try (Progress _ = Progress.of(platform, teller.output(), "starting three servers")) {
            for (int again = 0; again < MOST_LISTS && !found.containsAll(TOOLS); again++) {
                platform.pause(BEAT);
                found = found(client);
            }
        }
        tell("asks", "mcp_discover for tools that " + QUERY, started);
        teller.words(String.join(", ", found));
        teller.expect(found.containsAll(TOOLS), "all tools of three servers, not " + found);
    }

    /// As a model would find them.
    private static Set<String> found(LocalClient client) throws IOException {
        JsonView tools = client.ask(
                        "tools/call",
                        "{\"name\":\"mcp_discover\",\"arguments\":{\"detail\":\"brief\",\"limit\":100,\"query\":\""
                                + QUERY + "\"}}")
                .path("result", "structuredContent", "tools");
        Set<String> names = new TreeSet<>();
        if (tools != null) {
            tools.elements().forEach(tool -> names.add(text(tool, "server") + "/" + text(tool, "tool")));
        }
        return names;
    }

    private void crash(LocalClient client) throws IOException {
        teller.chapter("A tool brings its whole server down. The call does not hang, the client stays connected, and"
                + " its next call finds a new server.");
        fail(client, "crashing__crash", "server_crashed");
        call(client, "crashing__greet", "Hello, Ada!");
    }

    private void trip(LocalClient client) throws IOException {
        teller.chapter("Another tool crashes its server three times in a row, which trips the breaker of the tool.");
        for (int failure = 0; failure < CRASHES; failure++) {
            fail(client, "flaky__forecast", "server_crashed");
        }
    }

    /// @return for how long nobody is to come back
    private Duration refuse(LocalClient client) throws IOException {
        teller.chapter("The next call is refused at once, and nothing is sent. The other servers do not notice.");
        JsonView answer = fail(client, "flaky__forecast", "tool_breaker_open");
        call(client, "healthy__greet", "Hello, Ada!");
        JsonView wait = answer.path("result", "_meta", "fusebox/error", "retryAfterMs");
        return Duration.ofMillis(wait == null ? COOLDOWN_MILLIS : Long.parseLong(wait.json()));
    }

    private void recover(LocalClient client, Duration wait) throws IOException, InterruptedException {
        teller.chapter("After " + wait.toMillis() + " ms one call is let through, finds the tool well, and closes the"
                + " breaker.");
        platform.pause(wait.plus(BEAT));
        call(client, "flaky__forecast", "Sunny, at last.");
    }

    private void absent(LocalClient client) throws IOException {
        teller.chapter("A server that does not start fails its calls. After five failed starts its breaker is open, and"
                + " calls are refused at once.");
        String code = "";
        JsonView answer = JsonView.of("{}");
        for (int calls = 0; calls <= FAILED_STARTS && !code.equals("breaker_open"); calls++) {
            answer = client.ask(
                    "tools/call", "{\"name\":\"mcp_call\",\"arguments\":{\"server\":\"absent\",\"tool\":\"any\"}}");
            code = text(answer, "result", "structuredContent", "error", "code");
            teller.line("calls", "absent/any and is told: " + code);
        }
        teller.expect(code.equals("breaker_open"), "breaker_open from absent, not " + answer);
    }

    // ---- Calls

    private void call(LocalClient client, String tool, String expected) throws IOException {
        long started = platform.ticker().nanos();
        JsonView content = called(client, tool).path("result", "content");
        String heard = content == null ? "nothing" : text(content.elements().getFirst(), "text");
        tell("calls", tool + " and hears: " + heard, started);
        teller.expect(heard.equals(expected), expected + " from " + tool + ", not " + heard);
    }

    private JsonView fail(LocalClient client, String tool, String expected) throws IOException {
        long started = platform.ticker().nanos();
        JsonView answer = called(client, tool);
        String code = text(answer, "result", "_meta", "fusebox/error", "code");
        String outcome = text(answer, "result", "_meta", "fusebox/error", "outcome");
        tell("calls", tool + " and is told:", started);
        teller.words(text(answer, "result", "_meta", "fusebox/error", "message") + " [code " + code + ", outcome "
                + outcome + "]");
        teller.expect(code.equals(expected), expected + " from " + tool + ", not " + answer);
        return answer;
    }

    private static JsonView called(LocalClient client, String tool) throws IOException {
        return client.ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    private static String text(JsonView answer, String... path) {
        JsonView value = answer.path(path);
        String text = value == null ? null : value.string();
        return text == null ? "nothing" : text;
    }

    private void tell(String who, String what, long started) {
        long millis = Duration.ofNanos(platform.ticker().nanos() - started).toMillis();
        teller.line(who, what + " (" + millis + " ms)");
    }

    void close() throws InterruptedException {
        try {
            front.close(DRAIN);
        } finally {
            gateway.close();
            forget(mood);
        }
    }

    private static void forget(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // A few bytes in the folder for such files.
            return;
        }
    }
}
