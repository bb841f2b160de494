package dev.fusebox.cli;

import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.process.Children;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.gateway.stateless.OneServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The first part of the demo: a real gateway before a real server process that crashes and is started again. For one
/// thread; [#play] blocks for a second or two.
final class DemoGateway {
    private static final String NAME = "workshop";
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final World world;
    private final DemoTeller teller;
    private final McpHttp gateway;

    private DemoGateway(World world, DemoTeller teller, McpHttp gateway) {
        this.world = world;
        this.teller = teller;
        this.gateway = gateway;
    }

    /// Opens the gateway on this port, or on any free one if somebody has it.
    static DemoGateway open(World world, DemoTeller teller, Children children, int port) throws IOException {
        StdioConnector connector = new StdioConnector(world, NAME, children, server());
        Served served = Served.of(SessionSettings.of(NAME), connector);
        try {
            return new DemoGateway(world, teller, listening(world, served, port));
        } catch (BindException taken) {
            return new DemoGateway(world, teller, listening(world, served, 0));
        }
    }

    private static McpHttp listening(World world, Served served, int port) throws IOException {
        return McpHttp.open(world, HttpSettings.loopback(port), new OneServer(served), Secrets.system());
    }

    /// This very program, started again as a server.
    private static ChildSpec server() {
        List<String> arguments = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        String modules = System.getProperty("jdk.module.path");
        if (modules == null) {
            arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        } else {
            arguments.addAll(List.of("-p", modules, "-m", "dev.fusebox.cli/" + Main.class.getName()));
        }
        arguments.add("demo-server");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return ChildSpec.of(java, arguments.toArray(String[]::new));
    }

    String address() {
        return "http://127.0.0.1:" + gateway.port() + "/mcp";
    }

    void play() throws IOException {
        teller.chapter("The gateway listens on " + address() + ". Behind it is one tool server, \"" + NAME + "\".");
        try (LocalClient client = new LocalClient(world, gateway.port())) {
            connect(client);
            String before = greet(client, "Ada");
            crash(client);
            String after = greet(client, "Ada");
            teller.expect(before.equals(after), "the same answer after the crash, not " + after);
        }
    }

    private void connect(LocalClient client) throws IOException {
        long started = world.ticker().nanos();
        JsonView hello = client.ask(
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"demo\",\"version\":\"1\"}}");
        client.tell("notifications/initialized");
        JsonView tools = client.ask("tools/list", "{}");
        tell("connects", text(hello, "result", "serverInfo", "name") + " is started for it", started);
        JsonView list = tools.path("result", "tools");
        int count = list == null ? 0 : list.elements().size();
        teller.line("lists", count + " tools");
        teller.expect(count == 2, "two tools, not " + tools);
    }

    private String greet(LocalClient client, String whom) throws IOException {
        long started = world.ticker().nanos();
        JsonView answer = call(client, "greet", "{\"name\":\"" + whom + "\"}");
        JsonView content = answer.path("result", "content");
        String text = content == null ? answer.json() : text(content.elements().getFirst(), "text");
        tell("calls greet", "and hears: " + text, started);
        return text;
    }

    private void crash(LocalClient client) throws IOException {
        teller.chapter("A tool brings the whole server down. The call does not hang, and the client stays connected.");
        long started = world.ticker().nanos();
        JsonView answer = call(client, "crash", "{}");
        tell("calls crash", "and is told:", started);
        String code = text(answer, "result", "_meta", "fusebox/error", "code");
        String outcome = text(answer, "result", "_meta", "fusebox/error", "outcome");
        teller.words(text(answer, "result", "_meta", "fusebox/error", "message") + "; code " + code + ", outcome "
                + outcome);
        teller.expect(code.equals("server_crashed"), "a crash, not " + answer);
    }

    private static JsonView call(LocalClient client, String tool, String arguments) throws IOException {
        return client.ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    private static String text(JsonView answer, String... path) {
        JsonView value = answer.path(path);
        String text = value == null ? null : value.string();
        return text == null ? "nothing" : text;
    }

    private void tell(String who, String what, long started) {
        long millis = Duration.ofNanos(world.ticker().nanos() - started).toMillis();
        teller.line(who, what + " (" + millis + " ms)");
    }

    void close() throws InterruptedException {
        gateway.close(DRAIN);
    }
}
