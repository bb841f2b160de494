package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultProxy;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.LineFault;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of gateway-wide settings, as a client observes it.
///
/// Over five seconds: times that are waited for have to be told from those that are not.
@Tag("process")
@Timeout(120)
class GatewayKeysTest {
    private static final String HELLO = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

    private static Configured http(String http) {
        String port = http.contains("\"port\"") ? "" : "\"port\":0,";
        return Configured.of("\"command\":\"/nowhere\"", ",\"http\":{" + port + http + "}");
    }

    // ---- Pool, recovery

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^\"callsAtOnce\":1,\"callQueueLength\":0^,overloaded,false",
                "^\"callsAtOnce\":2,\"callQueueLength\":0^,done,false",
                "^\"callsAtOnce\":1,\"callQueueLength\":1^,done,true",
                "^\"maxInFlightBytes\":1,\"callQueueLength\":0^,overloaded,false",
                "^\"maxInFlightBytes\":100000,\"callQueueLength\":0^,done,false",
            })
    @Shows({"pool.callsAtOnce", "pool.callQueueLength", "pool.maxInFlightBytes"})
    void in_flight_limits_are_enforced(String pool, String second, boolean waits) throws Exception {
        try (HeldServer server = new HeldServer();
                Configured gateway = Configured.of(
                        "\"url\":\"" + server.uri() + "\",\"era\":\"modern\"", ",\"pool\":{" + pool + "}")) {
            eventually(
                    "tool one__echo is listed",
                    () -> assertThat(gateway.tools()).contains("one__echo"));
            CompletableFuture<String> first = server.hold(gateway, "echo");
            CompletableFuture<String> other =
                    CompletableFuture.supplyAsync(() -> gateway.code("echo", "{}"), Thread::startVirtualThread);
            // One that may wait does so until the first has ended.
            if (waits) {
                throughout("the second call waits", Duration.ofSeconds(1), () -> !other.isDone());
            } else {
                eventually("the second call ends", other::isDone);
            }
            server.let();
            assertThat(other.get()).isEqualTo(second);
            assertThat(first.get()).isEqualTo("done");
        }
    }

    @Test
    @Shows("pool.drainMs")
    void drain_limits_calls_at_shutdown() throws Exception {
        assertThat(lastCall(30_000)).isEqualTo("done");
        assertThat(lastCall(10)).isNotEqualTo("done");
    }

    /// What becomes of a call that is let go a second after the end has begun, or when it is over.
    private static String lastCall(int drainMs) throws Exception {
        try (HeldServer server = new HeldServer()) {
            String url = "\"url\":\"" + server.uri() + "\",\"era\":\"modern\"";
            Configured gateway = Configured.of(url, ",\"pool\":{\"drainMs\":" + drainMs + "}");
            CompletableFuture<String> last = server.hold(gateway, "echo");
            Thread ending = Thread.startVirtualThread(gateway::close);
            ending.join(Duration.ofSeconds(drainMs < 1_000 ? 60 : 1));
            server.let();
            assertThat(ending.join(Duration.ofSeconds(60))).isTrue();
            return last.handle((code, cut) -> code == null ? "cut" : code).get();
        }
    }

    @ParameterizedTest
    @CsvSource({"50,true", "60000,false"})
    @Shows("recovery.pingTimeoutMs")
    void startup_timeouts_limit_wait_for_silent_server(int pingMs, boolean soon) throws IOException {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
                FaultProxy line = FaultProxy.to(server.uri().getPort())) {
            // On a busy machine the breaker may open while the tools are listed, and must close again.
            String url = "\"url\":\"" + line.through(server.uri()) + "\",\"era\":\"modern\",\"timeoutMs\":300,"
                    + "\"breaker\":{\"failureThreshold\":1,\"cooldownMs\":1000}";
            try (Configured gateway = Configured.of(url, ",\"recovery\":{\"pingTimeoutMs\":" + pingMs + "}")) {
                eventually(
                        "tool one__echo is listed",
                        () -> assertThat(gateway.tools()).contains("one__echo"));
                line.set(new LineFault.BlackHole());
                if (soon) {
                    eventually(
                            "the breaker is open",
                            () -> assertThat(gateway.code("fail", "{}")).isEqualTo("breaker_open"));
                } else {
                    throughout(
                            "the breaker is closed",
                            Duration.ofSeconds(3),
                            () -> assertThat(gateway.code("fail", "{}")).isNotEqualTo("breaker_open"));
                }
            }
        }
    }

    // ---- Arguments

    @ParameterizedTest
    @CsvSource({"strict,invalid_arguments", "lenient,done"})
    @Shows("arguments.nulls")
    void null_of_optional_argument_is_rejected_or_dropped(String nulls, String code) {
        String server = Configured.process(ServerScript.faultless());
        try (Configured gateway = Configured.of(server, ",\"arguments\":{\"nulls\":\"" + nulls + "\"}")) {
            eventually(
                    "tool one__echo is listed",
                    () -> assertThat(gateway.tools()).contains("one__echo"));
            assertThat(gateway.code("echo", "{\"text\":null}")).isEqualTo(code);
            assertThat(gateway.code("echo", "{\"text\":\"x\"}")).isEqualTo("done");
            assertThat(gateway.code("add", "{\"a\":1,\"b\":null}")).isEqualTo("invalid_arguments");
        }
    }

    // ---- What clients see

    @Test
    @Shows({"$.expose", "$.pin"})
    void expose_selects_visible_tools() {
        String server = Configured.process(ServerScript.faultless());
        try (Configured meta = Configured.of(server, ",\"expose\":\"meta\"");
                Configured pinned = Configured.of(server, ",\"expose\":\"meta\",\"pin\":[\"one/echo\"]");
                Configured both = Configured.of(server, ",\"expose\":\"both\"")) {
            assertThat(meta.tools()).contains("mcp_call").noneMatch(tool -> tool.startsWith("one__"));
            eventually(
                    "tool one__echo is listed", () -> assertThat(pinned.tools()).contains("one__echo"));
            assertThat(pinned.tools()).contains("mcp_call").doesNotContain("one__fail");
            eventually(
                    "tool one__fail is listed", () -> assertThat(both.tools()).contains("one__fail"));
            assertThat(both.tools()).contains("mcp_call");
        }
    }

    // ---- Extensions

    @ParameterizedTest
    @CsvSource({"'',-32601", "dev.fusebox/echo,"})
    @Shows("extensions.pass")
    void extension_passes_if_it_is_named(String passed, @Nullable String code) {
        String server = Configured.process(ServerScript.faultless().withExtensions());
        String pass = passed.isEmpty() ? "" : "\"" + passed + "\"";
        try (Configured gateway = Configured.of(server, ",\"extensions\":{\"pass\":[" + pass + "]}")) {
            eventually(
                    "tool one__echo is listed",
                    () -> assertThat(gateway.tools()).contains("one__echo"));
            JsonView answer = gateway.ask("dev.fusebox/echo/say", ",\"text\":\"hello\"");
            JsonView discovered = gateway.ask("server/discover", "");

            assertThat(json(answer, "error", "code")).isEqualTo(String.valueOf(code));
            assertThat(json(answer, "result", "said", "text")).isEqualTo(code == null ? "\"hello\"" : "null");
            assertThat(json(discovered, "result", "capabilities", "extensions", "dev.fusebox/echo"))
                    .isEqualTo(code == null ? "{}" : "null");
        }
    }

    private static String json(JsonView answer, String... path) {
        return String.valueOf(answer.path(path));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Shows("extensions.listApps")
    void tool_with_app_is_listed_for_clients_that_render_it(boolean isListed) {
        String server = Configured.process(ServerScript.faultless().withExtensions());
        String more = ",\"expose\":\"meta\",\"extensions\":{\"listApps\":" + isListed + "}";
        try (Configured gateway = Configured.of(server, more)) {
            gateway.ask("tools/call", ",\"name\":\"mcp_discover\",\"arguments\":{}", "Mcp-Name", "mcp_discover");
            String apps = "{\"extensions\":{\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[]}}}";

            eventually(
                    "the server has listed its tools",
                    () -> assertThat(json(gateway.ask("server/discover", ""), "result", "capabilities", "extensions"))
                            .contains("io.modelcontextprotocol/ui"));
            String tools = gateway.askAs(apps, "tools/list", "").json();
            assertThat(tools).contains("mcp_discover");
            assertThat(tools.contains("one__show_app")).isEqualTo(isListed);
            assertThat(gateway.tools()).doesNotContain("one__show_app");
        }
    }

    // ---- The front

    @Test
    @Shows({"http.host", "http.port"})
    void http_listens_at_configured_address() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        String config =
                "{\"mcpServers\":{},\"expose\":\"proxy\",\"http\":{\"host\":\"127.0.0.2\",\"port\":" + free + "}}";
        try (Configured gateway = Configured.whole(config.replace("{},", "{\"one\":{\"command\":\"/nowhere\"}},"))) {
            assertThat(gateway.port()).isEqualTo(free);
            assertThat(gateway.uri().getHost()).isEqualTo("127.0.0.2");
            assertThat(gateway.post(HELLO).status()).isIn(200, 403);
        }
    }

    @Test
    @Shows("http.allowedOrigins")
    void allowed_origins_may_call() {
        try (Configured closed = http("\"allowedOrigins\":[]");
                Configured open = http("\"allowedOrigins\":[\"https://app.example\"]")) {
            String page = "Origin: https://app.example\r\n";
            assertThat(raw(closed, page)).startsWith("HTTP/1.1 403");
            assertThat(raw(open, page)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    @Shows("http.otherUsers")
    void other_users_setting_is_enforced() throws Exception {
        assumeTrue(Tried.succeeds(asOther("true")), "skipped: not the superuser, or no setpriv here");
        try (Configured closed = http("\"otherUsers\":\"refuse\"");
                Configured open = http("\"otherUsers\":\"allow\"")) {
            assertThat(statusForOther(closed)).contains(" 403 ");
            assertThat(statusForOther(open)).contains(" 405 ");
        }
    }

    private static List<String> asOther(String script, String... words) {
        List<String> command = new ArrayList<>(List.of("setpriv", "--reuid=65533", "--clear-groups"));
        command.addAll(List.of("bash", "-c", script));
        command.addAll(List.of(words));
        return command;
    }

    private static String statusForOther(Configured gateway) throws Exception {
        String request = "exec 3<>/dev/tcp/127.0.0.1/$0; "
                + "printf 'HEAD /mcp HTTP/1.1\\r\\nHost: localhost:%s\\r\\n\\r\\n' $0 >&3; head -n 1 <&3";
        Process client = new ProcessBuilder(asOther(request, "" + gateway.port()))
                .redirectErrorStream(true)
                .start();
        return new String(client.getInputStream().readAllBytes(), UTF_8);
    }

    /// The answer to a handshake with these headers more.
    private static String raw(Configured gateway, String more) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.setSoTimeout(30_000);
            byte[] body = HELLO.getBytes(UTF_8);
            String head = "POST /mcp HTTP/1.1\r\nHost: localhost:" + gateway.port() + "\r\n" + more
                    + "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(UTF_8));
            socket.getOutputStream().write(body);
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException cut) {
            return "cut: " + cut.getMessage();
        }
    }

    @Test
    @Shows("http.maxBodyBytes")
    void max_body_bytes_is_enforced() {
        try (Configured narrow = http("\"maxBodyBytes\":100");
                Configured usual = http("\"maxBodyBytes\":100000")) {
            assertThat(raw(narrow, "")).startsWith("HTTP/1.1 413");
            assertThat(raw(usual, "")).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @CsvSource({"1,false", "2,true"})
    @Shows("http.maxSessions")
    void max_sessions_is_enforced(int most, boolean both) {
        try (Configured gateway = http("\"maxSessions\":" + most)) {
            String one = session(gateway);
            assertThat(one).isNotEmpty();
            // The one that nobody uses makes room.
            String other = session(gateway);
            assertThat(other).isNotEmpty();
            assertThat(ping(gateway, one)).isEqualTo(both ? 200 : 404);
            assertThat(ping(gateway, other)).isEqualTo(200);
        }
    }

    private static String session(Configured gateway) {
        Configured.Heard heard = gateway.post(HELLO);
        return heard.headers().entrySet().stream()
                .filter(field -> "Mcp-Session-Id".equalsIgnoreCase(field.getKey()))
                .map(field -> field.getValue().getFirst())
                .findFirst()
                .orElse("");
    }

    private static int ping(Configured gateway, String session) {
        return gateway.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "Mcp-Session-Id", session)
                .status();
    }

    @Test
    @Shows("http.sessionIdleMs")
    void idle_session_is_closed() {
        try (Configured brief = http("\"sessionIdleMs\":50");
                Configured usual = http("\"sessionIdleMs\":600000")) {
            String kept = session(usual);
            String lost = session(brief);
            // A question would keep it for 50 ms more.
            eventually(
                    "the session is closed", () -> assertThat(brief.sessions()).isZero());
            assertThat(ping(brief, lost)).isEqualTo(404);
            assertThat(ping(usual, kept)).isEqualTo(200);
        }
    }

    @Test
    @Shows("http.headerTimeoutMs")
    void header_timeout_is_enforced() throws IOException {
        assertThat(isCutOff("\"headerTimeoutMs\":100", Duration.ofSeconds(30))).isTrue();
        assertThat(isCutOff("\"headerTimeoutMs\":600000", Duration.ofSeconds(3)))
                .isFalse();
    }

    private static boolean isCutOff(String http, Duration within) throws IOException {
        try (Configured gateway = http(http);
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            slow.setSoTimeout((int) within.toMillis());
            slow.getOutputStream().write("POST /mcp HT".getBytes(UTF_8));
            slow.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException waiting) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    @Shows("http.maxConnections")
    void max_connections_is_enforced() throws IOException {
        try (Configured narrow = http("\"maxConnections\":1");
                Configured usual = http("\"maxConnections\":100");
                Socket ofNarrow = new Socket(InetAddress.getLoopbackAddress(), narrow.port());
                Socket ofUsual = new Socket(InetAddress.getLoopbackAddress(), usual.port())) {
            Objects.requireNonNull(ofNarrow.getOutputStream()).write("P".getBytes(UTF_8));
            Objects.requireNonNull(ofUsual.getOutputStream()).write("P".getBytes(UTF_8));
            // Who came first is let in first.
            assertThat(raw(narrow, "")).doesNotStartWith("HTTP/1.1 200");
            assertThat(raw(usual, "")).startsWith("HTTP/1.1 200");
        }
    }

    // ---- Telemetry

    @Test
    @Shows("telemetry.otlpEndpoint")
    void spans_are_sent_to_configured_collector() throws Exception {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
                ServerSocket collector = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(collector));
            String telemetry =
                    ",\"telemetry\":{\"otlpEndpoint\":\"http://127.0.0.1:" + collector.getLocalPort() + "\"}";
            try (Configured gateway = Configured.of("\"url\":\"" + server.uri() + "\",\"era\":\"modern\"", telemetry)) {
                assertThat(gateway.code("echo", "{}")).isEqualTo("done");
                assertThat(asked.get()).isEqualTo("POST /v1/traces HTTP/1.1");
            }
        }
    }

    private static String firstLine(ServerSocket collector) {
        try (Socket client = collector.accept()) {
            return new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8)).readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
