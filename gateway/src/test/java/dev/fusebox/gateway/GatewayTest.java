package dev.fusebox.gateway;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.config.Overrides;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole gateway inside this process, before real servers.
@Tag("process")
@Timeout(120)
class GatewayTest {
    private static final String CALL = """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__echo","arguments":{"text":"hello"},\
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}""";

    private static final String SESSION = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"test","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__echo","arguments":{"text":"hello"}}}
            """;

    @TempDir
    private Path folder;

    private Platform platform;

    @BeforeEach
    void givesTheGatewayAHomeOfItsOwn() {
        platform = Platform.system();
        Map<String, String> environment = Stream.concat(
                        platform.environment().entrySet().stream(),
                        Stream.of(
                                Map.entry("FUSEBOX_HOME", folder.resolve("home").toString())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (old, mine) -> mine));
        platform = platform.withEnvironment(environment);
    }

    private GatewayOptions options() {
        return GatewayOptions.defaults().withPlatform(platform);
    }

    private Path file(String... servers) throws IOException {
        return Files.writeString(folder.resolve("servers.json"), text(0, servers));
    }

    private static String text(int port, String... servers) {
        String entries = Stream.of(servers)
                .map(name -> JsonWriter.quoted(name) + ":{" + server() + "}")
                .collect(Collectors.joining(","));
        return "{\"mcpServers\":{" + entries + "},\"expose\":\"proxy\",\"http\":{\"port\":" + port + "}}";
    }

    private static String server() {
        List<String> command = ScriptedServer.stdio(ServerScript.faultless());
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray();
    }

    private GatewayConfig config(String... servers) throws IOException, GatewayException {
        return GatewayConfig.read(platform, file(servers), Overrides.NONE);
    }

    private static String call(Gateway gateway) throws IOException, InterruptedException {
        return call(gateway.address());
    }

    private static String call(URI address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("Mcp-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/call")
                    .header("Mcp-Name", "one__echo")
                    .POST(HttpRequest.BodyPublishers.ofString(CALL))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void closed_gateway_leaves_no_process_no_thread_no_file_and_no_port() throws Exception {
        GatewayConfig config = config("one", "two");
        Leftovers leftovers = Leftovers.before(folder);
        URI address;
        try (Gateway gateway = Gateway.start(config, options())) {
            address = gateway.address();
            assertThat(call(gateway)).contains("hello");
            assertThat(Leftovers.threads()).anyMatch(thread -> thread.endsWith(" fusebox-config"));
            assertThat(ProcessHandle.current().children()).isNotEmpty();
        }
        leftovers.assertNone();
        assertThatThrownBy(() -> call(address)).isInstanceOf(ConnectException.class);
    }

    @Test
    void gateway_in_its_home_leaves_its_cache_but_no_socket() throws Exception {
        GatewayConfig config = config("one");
        Path run = folder.resolve("home/run");
        try (Gateway gateway = Gateway.start(config, options().withHome())) {
            assertThat(call(gateway)).contains("hello");
            try (Stream<Path> sockets = Files.list(run)) {
                assertThat(sockets).anyMatch(path -> path.toString().endsWith(".sock"));
            }
            eventually(
                    "the tools are cached",
                    () -> assertThat(folder.resolve("home/cache")).isNotEmptyDirectory());
        }
        try (Stream<Path> sockets = Files.list(run)) {
            assertThat(sockets).noneMatch(path -> path.toString().endsWith(".sock"));
        }
    }

    // Closed early on purpose.
    @SuppressWarnings("try")
    @Test
    void several_gateways_run_in_one_process() throws Exception {
        GatewayConfig config = config("one");
        Leftovers leftovers = Leftovers.before(folder);
        try (Gateway first = Gateway.start(config, options());
                Gateway second = Gateway.start(config, options())) {
            assertThat(first.address()).isNotEqualTo(second.address());
            assertThat(call(first)).contains("hello");
            first.close();
            assertThat(call(second)).contains("hello");
        }
        leftovers.assertNone();
    }

    @Test
    void second_close_has_no_effect_and_waits_for_the_first() throws Exception {
        Gateway gateway = Gateway.start(config("one"), options());
        assertThat(call(gateway)).contains("hello");
        Thread other = Thread.startVirtualThread(gateway::close);
        gateway.close();
        assertThat(gateway.configuration().servers()).hasSize(1);
        other.join();
        gateway.close();
        assertThatThrownBy(() -> call(gateway)).isInstanceOf(ConnectException.class);
    }

    @Test
    void start_on_a_port_in_use_fails_and_leaves_nothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(folder.resolve("taken.json"), text(taken.getLocalPort(), "one"));
            GatewayConfig config = GatewayConfig.read(platform, file, Overrides.NONE);
            Leftovers leftovers = Leftovers.before(folder);
            assertThatThrownBy(() -> Gateway.start(config, options()))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(BindException.class);
            leftovers.assertNone();
        }
    }

    @Test
    void configuration_that_cannot_be_served_is_refused_before_anything_is_started() throws Exception {
        GatewayConfig two = config("one", "two");
        Leftovers leftovers = Leftovers.before(folder);
        assertThatThrownBy(() -> Gateway.start(two, options().withPassThrough(true)))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("requires exactly one server");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"mcpServers\":{}, \"expose\":\"all\"}");
        assertThatThrownBy(() -> Gateway.start(broken))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("broken.json:1:");
        Files.delete(broken);
        leftovers.assertNone();
    }

    @Test
    void failed_last_step_before_serving_leaves_nothing() throws Exception {
        GatewayConfig config = config("one");
        Leftovers leftovers = Leftovers.before(folder);
        GatewayOptions options = options().withBeforeServing(() -> {
            throw new IllegalStateException("not today");
        });
        assertThatThrownBy(() -> Gateway.start(config, options)).hasMessage("not today");
        leftovers.assertNone();
    }

    @Test
    void changed_file_is_applied() throws Exception {
        GatewayConfig config = config("one");
        try (Gateway gateway = Gateway.start(config, options())) {
            Files.writeString(folder.resolve("servers.json"), text(0, "one", "two"));
            gateway.reload();
            eventually(
                    "the server is there",
                    () -> assertThat(gateway.configuration().servers()).hasSize(2));
        }
    }

    @Test
    void configuration_without_file_is_served() throws Exception {
        GatewayConfig config = GatewayConfig.of(config("one").configuration());
        try (Gateway gateway = Gateway.start(config, options())) {
            gateway.reload();
            assertThat(call(gateway)).contains("hello");
        }
    }

    // Closed early on purpose.
    @SuppressWarnings("try")
    @Test
    void client_over_two_streams_is_served_until_it_disconnects() throws Exception {
        GatewayConfig config = config("one");
        Leftovers leftovers = Leftovers.before(folder);
        CountDownLatch left = new CountDownLatch(1);
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        try (PipedOutputStream client = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(client)) {
            Transport transport = new Transport.Stdio(in, answers, left::countDown);
            try (Gateway gateway = Gateway.start(config, options().withTransport(transport))) {
                assertThatThrownBy(gateway::address).isInstanceOf(IllegalStateException.class);
                client.write(SESSION.getBytes(UTF_8));
                client.flush();
                eventually(
                        "the call is answered",
                        () -> assertThat(answers.toString(UTF_8)).contains("hello"));
                client.close();
                left.await();
            }
        }
        leftovers.assertNone();
    }
}
