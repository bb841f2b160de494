package dev.fusebox.demo;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/// The first part of the demo: calls to a gateway in front of the [DemoServers], of which one works, one has a
/// tool that sometimes crashes it, one has a tool that always crashes it, and one does not start. For one thread.
public final class GatewayStory {
    private static final int CRASHES = 3;
    private static final int FAILED_STARTS = 5;

    /// Three Java programs start at once, and a list waits only a second for each of them.
    private static final int MAX_LISTS = 40;

    private static final Duration BEAT = Duration.ofMillis(100);
    private static final Set<String> TOOLS =
            Set.of("healthy/greet", "flaky/forecast", "crashing/greet", "crashing/crash");
    private static final String QUERY = "greet a person, get the forecast, or crash";

    private final Platform platform;
    private final DemoNarrator narrator;
    private final DemoHost host;

    public GatewayStory(Platform platform, DemoNarrator narrator, DemoHost host) {
        this.platform = platform;
        this.narrator = narrator;
        this.host = host;
    }

    /// Plays all of it; blocks for some seconds.
    public void play() throws IOException, InterruptedException {
        narrator.chapter("The gateway listens on " + host.address() + ". Behind it are four servers: healthy, flaky,"
                + " crashing, and absent, which does not start.");
        try (DemoHost.Client client = host.connect()) {
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

    private void connect(DemoHost.Client client) throws IOException {
        long started = platform.ticker().nanos();
        client.ask(
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"demo\",\"version\":\"1\"}}");
        client.tell("notifications/initialized");
        tell("connects", "before any server is started", started);
    }

    private void discover(DemoHost.Client client) throws IOException, InterruptedException {
        long started = platform.ticker().nanos();
        Set<String> found = found(client);
        try (DemoHost.Waiting _ = host.waiting("starting three servers")) {
            for (int again = 0; again < MAX_LISTS && !found.containsAll(TOOLS); again++) {
                platform.pause(BEAT);
                found = found(client);
            }
        }
        tell("asks", "mcp_discover for tools that " + QUERY, started);
        narrator.words(String.join(", ", found));
        narrator.expect(found.containsAll(TOOLS), "all tools of three servers, not " + found);
    }

    /// As a model would find them.
    private static Set<String> found(DemoHost.Client client) throws IOException {
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

    private void crash(DemoHost.Client client) throws IOException {
        narrator.chapter(
                "A tool crashes its server. The call fails immediately, the client stays connected, and the next"
                        + " call starts a new process.");
        fail(client, "crashing__crash", "server_crashed");
        call(client, "crashing__greet", "Hello, Ada!");
    }

    private void trip(DemoHost.Client client) throws IOException {
        narrator.chapter("Another tool crashes its server three times in a row, which opens the breaker of the tool.");
        for (int failure = 0; failure < CRASHES; failure++) {
            fail(client, "flaky__forecast", "server_crashed");
        }
    }

    /// @return the time after which the breaker lets a call through
    private Duration refuse(DemoHost.Client client) throws IOException {
        narrator.chapter("The next call is rejected immediately and not sent. The other servers are not affected.");
        JsonView answer = fail(client, "flaky__forecast", "tool_breaker_open");
        call(client, "healthy__greet", "Hello, Ada!");
        JsonView wait = answer.path("result", "_meta", "fusebox/error", "retryAfterMs");
        return Duration.ofMillis(wait == null ? DemoServers.COOLDOWN_MILLIS : Long.parseLong(wait.json()));
    }

    private void recover(DemoHost.Client client, Duration wait) throws IOException, InterruptedException {
        narrator.chapter("After " + wait.toMillis()
                + " ms one call is admitted as a probe. It succeeds, which closes the breaker.");
        platform.pause(wait.plus(BEAT));
        call(client, "flaky__forecast", "Sunny, at last.");
    }

    private void absent(DemoHost.Client client) throws IOException {
        narrator.chapter("Calls to a server that does not start fail. After five failed starts its breaker is open, and"
                + " calls are rejected immediately.");
        String code = "";
        JsonView answer = JsonView.of("{}");
        for (int calls = 0; calls <= FAILED_STARTS && !code.equals("breaker_open"); calls++) {
            answer = client.ask(
                    "tools/call", "{\"name\":\"mcp_call\",\"arguments\":{\"server\":\"absent\",\"tool\":\"any\"}}");
            code = text(answer, "result", "structuredContent", "error", "code");
            narrator.line("calls", "absent/any and fails: " + code);
        }
        narrator.expect(code.equals("breaker_open"), "breaker_open from absent, not " + answer);
    }

    // ---- Calls

    private void call(DemoHost.Client client, String tool, String expected) throws IOException {
        long started = platform.ticker().nanos();
        JsonView content = called(client, tool).path("result", "content");
        String text = content == null ? "nothing" : text(content.elements().getFirst(), "text");
        tell("calls", tool + " and gets: " + text, started);
        narrator.expect(text.equals(expected), expected + " from " + tool + ", not " + text);
    }

    private JsonView fail(DemoHost.Client client, String tool, String expected) throws IOException {
        long started = platform.ticker().nanos();
        JsonView answer = called(client, tool);
        String code = text(answer, "result", "_meta", "fusebox/error", "code");
        String outcome = text(answer, "result", "_meta", "fusebox/error", "outcome");
        tell("calls", tool + " and fails:", started);
        narrator.words(text(answer, "result", "_meta", "fusebox/error", "message") + " [code " + code + ", outcome "
                + outcome + "]");
        narrator.expect(code.equals(expected), expected + " from " + tool + ", not " + answer);
        return answer;
    }

    private static JsonView called(DemoHost.Client client, String tool) throws IOException {
        return client.ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    private static String text(JsonView answer, String... path) {
        JsonView value = answer.path(path);
        String text = value == null ? null : value.string();
        return text == null ? "nothing" : text;
    }

    private void tell(String who, String what, long started) {
        long millis = Duration.ofNanos(platform.ticker().nanos() - started).toMillis();
        narrator.line(who, what + " (" + millis + " ms)");
    }
}
