package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.fixtures.server.SocketServer;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Servers over WebSocket, TCP and Unix sockets behind a whole gateway, as a client observes them.
@Tag("process")
@Timeout(120)
class SocketServersTest {
    private static final ServerScript OLD = ServerScript.faultless().withEra(Era.LEGACY);

    private static final String TOOL = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}";

    private final CountDownLatch isOver = new CountDownLatch(1);

    @TempDir
    private Path folder = Path.of("");

    @AfterEach
    void end() {
        isOver.countDown();
    }

    enum Transport {
        WEBSOCKET,
        TCP,
        UNIX
    }

    private SocketServer server(Transport transport, ServerScript script) throws IOException {
        return switch (transport) {
            case WEBSOCKET -> SocketServer.webSocket(script);
            case TCP -> SocketServer.tcp(script);
            case UNIX -> SocketServer.unix(script, folder.resolve("s"));
        };
    }

    private static Configured before(SocketServer server, String more) {
        return Configured.of("\"url\":\"" + server.url() + "\"" + more, "");
    }

    @ParameterizedTest
    @CsvSource({
        "WEBSOCKET,LEGACY", "WEBSOCKET,MODERN", "WEBSOCKET,BOTH",
        "TCP,LEGACY", "TCP,MODERN", "TCP,BOTH",
        "UNIX,LEGACY", "UNIX,MODERN", "UNIX,BOTH"
    })
    @Shows({"server.url", "server.type"})
    void server_of_either_era_is_called_and_listed(Transport transport, Era era) throws Exception {
        String type = transport == Transport.WEBSOCKET ? ",\"type\":\"websocket\"" : "";
        try (SocketServer server = server(transport, ServerScript.faultless().withEra(era));
                Configured gateway = before(server, type)) {
            assertThat(gateway.code("echo", "{\"text\":\"x\"}")).isEqualTo("done");
            eventually("tools are listed", () -> assertThat(gateway.tools()).contains("one__echo"));
            assertThat(gateway.processes()).isZero();
            assertThat(server.openConnections()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"session,2", "shared,1"})
    void isolation_decides_about_connections_as_about_processes(String isolation, int connections) throws Exception {
        try (SocketServer server = server(Transport.WEBSOCKET, OLD);
                Configured gateway = before(server, ",\"isolation\":\"" + isolation + "\"")) {
            for (int session = 0; session < 2; session++) {
                assertThat(gateway.bodyInSession("echo", "{\"text\":\"here\"}")).contains("here");
            }
            eventually(
                    "the expected number of connections is open",
                    () -> assertThat(server.openConnections()).isEqualTo(connections));
        }
    }

    @ParameterizedTest
    @EnumSource
    void call_after_a_lost_connection_opens_the_next_one(Transport transport) throws Exception {
        try (SocketServer server = server(transport, OLD);
                Configured gateway = before(server, ",\"era\":\"legacy\"")) {
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            int before = server.connections();
            server.disconnectAll();
            eventually("a call succeeds on another connection", () -> {
                assertThat(gateway.code("echo", "{}")).isEqualTo("done");
                assertThat(server.connections()).isGreaterThan(before);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void breaker_rejects_calls_to_a_server_that_cannot_be_reached(Transport transport) throws Exception {
        String url;
        try (SocketServer server = server(transport, OLD)) {
            url = "\"url\":\"" + server.url() + "\",\"era\":\"legacy\",\"breaker\":{\"failureThreshold\":2}";
            if (transport != Transport.UNIX) {
                // A port that no other program takes meanwhile.
                url = url.replaceFirst(":[0-9]+", ":1");
            }
        }
        try (Configured gateway = Configured.of(url, "")) {
            eventually(
                    "the breaker is open",
                    () -> assertThat(gateway.code("echo", "{}")).isEqualTo("breaker_open"));
        }
    }

    /// A server that ends the connection after a request that it does not know, once for each connection. It reads
    /// nothing more of a connection after a call that says so.
    private void serveLegacy(ServerSocket listener) {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> answerAfterHandshake(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void answerAfterHandshake(Socket socket) {
        try (socket) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            String first = in.readLine();
            if (first == null || !first.contains("\"initialize\"")) {
                return;
            }
            for (String line = first; line != null; line = in.readLine()) {
                JsonView id = JsonView.of(line).member("id");
                String result = line.equals(first)
                        ? "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}"
                        : line.contains("tools/list") ? "{\"tools\":[" + TOOL + "]}" : "{\"content\":[]}";
                if (id != null) {
                    String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + ",\"result\":" + result + "}\n";
                    socket.getOutputStream().write(answer.getBytes(UTF_8));
                }
                if (line.contains("stop reading")) {
                    isOver.await();
                }
            }
        } catch (IOException gone) {
            // The gateway has closed the connection.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void server_that_ends_the_connection_after_an_unknown_first_request_is_a_legacy_server() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serveLegacy(listener));
            try (Configured gateway =
                    Configured.of("\"url\":\"tcp://127.0.0.1:" + listener.getLocalPort() + "\"", "")) {
                assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            }
        }
    }

    @Test
    void server_that_stops_reading_is_disconnected_after_stuckWriteMs() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serveLegacy(listener));
            String server = "\"url\":\"tcp://127.0.0.1:" + listener.getLocalPort() + "\",\"era\":\"legacy\"";
            String limits = ",\"limits\":{\"stuckWriteMs\":1000},\"http\":{\"port\":0,\"maxBodyBytes\":16777216}";
            try (Configured gateway = Configured.of(server, limits)) {
                assertThat(gateway.code("echo", "{\"text\":\"stop reading\"}")).isEqualTo("done");
                // More than the buffers of the system hold.
                String large = "{\"text\":\"" + "x".repeat(12 << 20) + "\"}";
                assertThat(gateway.call("echo", large).json())
                        .contains("has read nothing for 1000 ms", "\"code\":\"outcome_unknown\"");
                assertThat(gateway.code("echo", "{}")).isEqualTo("done");
            }
        }
    }

    @Test
    @Shows("server.headers")
    void headers_are_sent_with_the_upgrade() throws Exception {
        try (SocketServer server = SocketServer.webSocket(OLD, "t0ken-of-the-test");
                Configured without = before(server, ",\"oauth\":false");
                Configured with = before(server, ",\"headers\":{\"Authorization\":\"Bearer t0ken-of-the-test\"}")) {
            assertThat(with.code("echo", "{}")).isEqualTo("done");
            assertThat(without.code("echo", "{}")).isEqualTo("auth_required");
            assertThat(without.call("echo", "{}").json()).contains("\"category\":\"auth\"");
        }
    }
}
