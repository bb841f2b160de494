package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultKind;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ScriptedFault;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.fixtures.server.SocketServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of the settings in `limits` and of start limits, as a client observes it.
///
/// Over five seconds: times that are waited for have to be told from those that are not.
@Tag("process")
@Timeout(120)
class LimitKeysTest {
    private static final ServerScript OLD = ServerScript.faultless().withEra(Era.LEGACY);
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    private static Configured process(ServerScript script, String more) {
        return Configured.of(Configured.process(script), more);
    }

    private static String limits(String limits) {
        return ",\"limits\":{" + limits + "}";
    }

    @Test
    @Shows("limits.frameBytes")
    void frame_bytes_limits_server_messages() {
        String big = "{\"bytes\":20000}";
        try (Configured usual = process(OLD, "");
                Configured narrow = process(OLD, limits("\"frameBytes\":16384"))) {
            assertThat(usual.code("big", big)).isEqualTo("done");
            assertThat(narrow.call("big", big).json()).contains("too large");
        }
    }

    @Test
    @Shows("limits.toolPages")
    void tool_pages_limits_list_pages() {
        ServerScript paged = OLD.withPageSize(5);
        try (Configured usual = process(paged, "");
                Configured one = process(paged, limits("\"toolPages\":1"))) {
            eventually(
                    "more than 5 tools are listed",
                    () -> assertThat(usual.tools()).hasSizeGreaterThan(5));
            eventually("5 tools are listed", () -> assertThat(one.tools()).hasSize(5));
            assertThat(one.tools()).hasSize(5);
        }
    }

    // ---- Depth

    @Test
    @Shows("limits.depth")
    void depth_limits_client_messages() {
        String deep = "{\"text\":\"here\",\"more\":" + "[".repeat(20) + "]".repeat(20) + "}";
        try (Configured usual = process(OLD, "");
                Configured flat = process(OLD, limits("\"depth\":16"))) {
            assertThat(usual.code("echo", deep)).isEqualTo("done");
            assertThat(flat.call("echo", deep).path("error")).asString().contains("-32700", "nested deeper than 16");
            assertThat(flat.code("echo", "{\"text\":\"here\"}")).isEqualTo("done");
        }
    }

    /// On a line of a process and over WebSocket it ends its own call; over HTTP its stream has ended without an
    /// answer.
    @ParameterizedTest
    @CsvSource({"process,protocol_violation", "websocket,protocol_violation", "http,outcome_unknown"})
    @Shows("limits.depth")
    void depth_limits_server_messages(String transport, String code) throws IOException {
        ServerScript deep = OLD.with(ScriptedFault.parse("deep=40@1-2"));
        try (FixtureServer server = FixtureServer.start(deep);
                SocketServer socket = SocketServer.webSocket(deep)) {
            boolean remote = transport.equals("http");
            String url = remote ? server.uri().toString() : socket.url();
            String one = transport.equals("process") ? Configured.process(deep) : "\"url\":\"" + url + "\"";
            // The call that starts a process takes as long as a JVM; one over HTTP is asked again until its time
            // is over.
            String timeout = ",\"timeoutMs\":" + (remote ? 2_000 : 30_000);
            try (Configured usual = Configured.of(one, "");
                    Configured flat = Configured.of(one + timeout, limits("\"depth\":16"))) {
                assertThat(usual.code("echo", "{}")).isEqualTo("done");
                assertThat(flat.code("echo", "{}")).isEqualTo(code);
            }
        }
    }

    // ---- Times

    @Test
    @Shows("limits.stuckWriteMs")
    void stuck_write_ends_process() {
        ServerScript stuck = OLD.with(FaultKind.STOP_READING);
        String large = "{\"text\":\"" + "x".repeat(1 << 20) + "\"}";
        // Another attempt would meet a fresh process, which reads its first call.
        String server = Configured.process(stuck) + ",\"retry\":{\"replay\":\"never\"},\"timeoutMs\":";
        try (Configured strict = Configured.of(server + "30000", limits("\"stuckWriteMs\":100"));
                Configured patient = Configured.of(server + "1000", limits("\"stuckWriteMs\":600000"))) {
            assertThat(strict.code("echo", "{}")).isEqualTo("done");
            assertThat(strict.code("echo", large)).isEqualTo("server_crashed");
            // A busy machine may need more than the second of a call to start it, and only its first call stops
            // it.
            eventually(
                    "a call to echo succeeds",
                    () -> assertThat(patient.code("echo", "{}")).isEqualTo("done"));
            assertThat(patient.code("echo", large)).isEqualTo("timeout");
        }
    }

    @Test
    @Shows("limits.clientWaitMs")
    void client_wait_limits_answers_of_client() throws Exception {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN))) {
            String url = "\"url\":\"" + server.uri() + "\",\"era\":\"modern\"";
            try (Configured brief = Configured.of(url, limits("\"clientWaitMs\":200"));
                    Configured patient = Configured.of(url, limits("\"clientWaitMs\":600000"))) {
                CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> unanswered(patient));
                assertThat(unanswered(brief)).contains("elicitation/create", "\"id\":7");
                throughout(
                        "the patient gateway waits for the answer",
                        A_WHILE,
                        () -> assertThat(waiting).isNotDone());
            }
        }
    }

    /// What comes in the end when a session asks for a call with a question, and does not answer that.
    private static String unanswered(Configured gateway) {
        Configured.Heard hello =
                gateway.post("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                        + "\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
        String session = hello.headers().entrySet().stream()
                .filter(field -> "Mcp-Session-Id".equalsIgnoreCase(field.getKey()))
                .map(field -> field.getValue().getFirst())
                .findFirst()
                .orElseThrow();
        gateway.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "Mcp-Session-Id", session);
        return gateway.post(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"one__ask\","
                                + "\"arguments\":{}}}",
                        "Mcp-Session-Id",
                        session)
                .body();
    }

    @Test
    @Shows("limits.clientWriteMs")
    void client_write_limits_slow_readers() {
        try (Configured strict = process(OLD, limits("\"clientWriteMs\":100"));
                Configured patient = process(OLD, limits("\"clientWriteMs\":600000"))) {
            eventually(
                    "the strict gateway reads less than the patient one",
                    () -> assertThat(readLate(strict)).isLessThan(readLate(patient)));
            assertThat(readLate(patient)).isGreaterThan(15 << 20);
        }
    }

    /// How much a client gets that takes a large answer and begins to read it late.
    private static int readLate(Configured gateway) {
        String params = "{\"name\":\"one__big\",\"arguments\":{\"bytes\":16000000},\"_meta\":"
                + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";
        byte[] body =
                ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}").getBytes(UTF_8);
        String head = "POST /mcp HTTP/1.1\r\nHost: localhost:" + gateway.port()
                + "\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: one__big\r\n"
                + "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
        int count = 0;
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(8 << 10);
            socket.setSoTimeout(30_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
            socket.getOutputStream().write(head.getBytes(UTF_8));
            socket.getOutputStream().write(body);
            // The beginning of the answer; then nothing for a while.
            count = socket.getInputStream().read(new byte[1]);
            throughout("more of the answer waits to be read", A_WHILE, () -> isMoreThere(socket));
            byte[] buffer = new byte[1 << 16];
            for (int more = count; more > 0; more = socket.getInputStream().read(buffer)) {
                count += more;
            }
            return count;
        } catch (IOException cut) {
            return count;
        }
    }

    private static boolean isMoreThere(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException cut) {
            return true;
        }
    }

    // ---- Starts

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "4,3"})
    @Shows("pool.startsAtOnce")
    void starts_at_once_limits_concurrent_starts(int startsAtOnce, int expected) throws Exception {
        HeldStarts starts = new HeldStarts();
        String server = "{\"command\":\"any\",\"era\":\"legacy\"}";
        String three = "{\"mcpServers\":{\"a\":" + server + ",\"b\":" + server + ",\"c\":" + server
                + "},\"pool\":{\"startsAtOnce\":" + startsAtOnce + "}}";
        try (ServedHere gateway = ServedHere.of(starts.platform(), folder, three, false)) {
            gateway.tools();
            eventually(
                    "the expected number of servers is starting",
                    () -> assertThat(starts.now()).isEqualTo(expected));
            starts.letGo();
            eventually("no server is starting", () -> assertThat(starts.now()).isEqualTo(0));
        } finally {
            starts.letGo();
        }
        assertThat(starts.most()).isEqualTo(expected);
    }
}
