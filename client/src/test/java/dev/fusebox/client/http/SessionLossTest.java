package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A server that loses sessions, behind a [ReconnectingConnection] that opens new ones.
@Timeout(120)
class SessionLossTest {
    private static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}";
    private static final String HELLO = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}";
    private static final String DONE = "{\"content\":[]}";

    private static Outcome call(
            RecordingClient client, ReconnectingConnection reconnectingConnection, String method, String params) {
        Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, client.platform.ticker());
        return reconnectingConnection.call(new Call(RecordingClient.request("1", method, params), deadline, client));
    }

    private static void initialize(RecordingClient client, ReconnectingConnection reconnectingConnection) {
        call(client, reconnectingConnection, "initialize", HELLO);
        reconnectingConnection.initialized(RecordingClient.request("1", "initialize", HELLO), "2025-11-25");
    }

    private static ReconnectingConnection connection(RecordingClient client, URI uri) {
        StreamableHttpConnector connector =
                new StreamableHttpConnector(client.platform, client.outboundHttpClient, HttpTarget.of(uri));
        return new ReconnectingConnection(client.platform, connector, client, RecordingClient.LONG);
    }

    /// Knows only the latest session, for a limited number of calls.
    private static RawServer serverWithShortSessions(AtomicInteger sessions, int callsToRemember) throws IOException {
        AtomicInteger left = new AtomicInteger();
        return RawServer.answering(request -> {
            if (request.rpcMethod().equals("initialize")) {
                left.set(callsToRemember);
                return RawServer.json(200, request.result(WELCOME), "Mcp-Session-Id: s-" + sessions.incrementAndGet());
            }
            boolean known = request.header("mcp-session-id").equals("s-" + sessions.get());
            if (!request.rpcMethod().equals("tools/call")) {
                return known ? RawServer.ACCEPTED : RawServer.plain(405, "text/plain", "");
            }
            return known && left.getAndDecrement() > 0
                    ? RawServer.json(200, request.result(DONE))
                    : RawServer.plain(404, "text/plain", "no such session");
        });
    }

    @Test
    void lost_session_is_replaced_and_the_call_repeated() throws IOException {
        AtomicInteger sessions = new AtomicInteger();
        try (RawServer server = serverWithShortSessions(sessions, 2);
                RecordingClient client = RecordingClient.at(server.uri())) {
            ReconnectingConnection reconnectingConnection = connection(client, server.uri());
            initialize(client, reconnectingConnection);
            for (int i = 0; i < 6; i++) {
                assertThat(RecordingClient.answered(
                                call(client, reconnectingConnection, "tools/call", "{\"name\":\"x\"}")))
                        .contains(DONE);
            }

            assertThat(sessions).hasValue(3);
            assertThat(client.losses).hasSize(2);
            List<String> handshakes = server.received.stream()
                    .filter(request -> request.rpcMethod().equals("initialize"))
                    .map(RawServer.Received::body)
                    .map(body -> body.replaceAll("\"id\":[0-9]+", "\"id\":0"))
                    .distinct()
                    .toList();
            assertThat(handshakes).hasSize(1);
            reconnectingConnection.close();
        }
    }

    @Test
    void call_is_repeated_only_once_if_every_session_is_lost() throws IOException {
        AtomicInteger sessions = new AtomicInteger();
        try (RawServer server = serverWithShortSessions(sessions, 0);
                RecordingClient client = RecordingClient.at(server.uri())) {
            ReconnectingConnection reconnectingConnection = connection(client, server.uri());
            initialize(client, reconnectingConnection);

            assertThat(RecordingClient.failed(call(client, reconnectingConnection, "tools/call", "{\"name\":\"x\"}"))
                            .id())
                    .isEqualTo(ErrorId.SESSION_LOST);
            assertThat(sessions).hasValue(2);
            reconnectingConnection.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"title must not be empty, 1", "No valid session ID, 2", "Bad Request, 2", "'', 2"})
    void text_of_a_400_about_the_request_keeps_the_session(String text, int sessionsInTheEnd) throws IOException {
        AtomicInteger sessions = new AtomicInteger();
        try (RawServer server = RawServer.answering(request -> switch (request.rpcMethod()) {
                    case "initialize" ->
                        RawServer.json(200, request.result(WELCOME), "Mcp-Session-Id: s-" + sessions.incrementAndGet());
                    case "tools/call" ->
                        request.body().contains("bad")
                                ? RawServer.plain(400, "text/plain", text)
                                : RawServer.json(200, request.result(DONE));
                    default -> RawServer.ACCEPTED;
                });
                RecordingClient client = RecordingClient.at(server.uri())) {
            ReconnectingConnection reconnectingConnection = connection(client, server.uri());
            initialize(client, reconnectingConnection);
            RecordingClient.failed(call(client, reconnectingConnection, "tools/call", "{\"name\":\"bad\"}"));
            assertThat(RecordingClient.answered(call(client, reconnectingConnection, "tools/call", "{\"name\":\"x\"}")))
                    .contains(DONE);
            assertThat(sessions).hasValue(sessionsInTheEnd);
            reconnectingConnection.close();
        }
    }

    /// Restarts the connection as soon as the first one is reported.
    private static final class RestartingListener implements ConnectionListener {
        private final AtomicInteger connections = new AtomicInteger();
        private volatile Runnable over = () -> {};

        @Override
        public void connecting() {
            // Not needed.
        }

        @Override
        public void connected(Connection connection) {
            if (connections.incrementAndGet() == 1) {
                over.run();
            }
        }

        @Override
        public void failed(CallFailure failure) {
            // Not expected.
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            // Expected.
        }
    }

    @Test
    void restart_during_the_connected_event_reconnects_once() throws IOException {
        AtomicInteger sessions = new AtomicInteger();
        try (RawServer server = serverWithShortSessions(sessions, 100);
                RecordingClient client = RecordingClient.at(server.uri())) {
            RestartingListener listener = new RestartingListener();
            ReconnectingConnection reconnectingConnection = connection(client, server.uri())
                    .greeting(JsonView.of(HELLO))
                    .watchedBy(listener);
            listener.over = reconnectingConnection::startOver;
            call(client, reconnectingConnection, "tools/call", "{\"name\":\"x\"}");
            assertThat(RecordingClient.answered(call(client, reconnectingConnection, "tools/call", "{\"name\":\"x\"}")))
                    .contains(DONE);
            assertThat(sessions).hasValue(2);
            assertThat(listener.connections).hasValue(2);
            reconnectingConnection.close();
        }
    }

    @Test
    void restarted_server_is_initialized_again() throws Exception {
        try (FixtureServer first = FixtureServer.start(ServerScript.faultless());
                FixtureServer second = FixtureServer.start(ServerScript.faultless());
                PortForwarder forwarder = new PortForwarder(first.uri().getPort());
                RecordingClient client = RecordingClient.at(forwarder.through(first.uri()))) {
            ReconnectingConnection reconnectingConnection = connection(client, forwarder.through(first.uri()));
            initialize(client, reconnectingConnection);
            assertThat(RecordingClient.answered(
                            call(client, reconnectingConnection, "tools/call", "{\"name\":\"echo\"}")))
                    .contains("content");
            forwarder.forwardTo(second.uri().getPort());

            assertThat(RecordingClient.answered(
                            call(client, reconnectingConnection, "tools/call", "{\"name\":\"echo\"}")))
                    .contains("content");
            assertThat(second.sessions()).isEqualTo(1);
            reconnectingConnection.close();
        }
    }

    /// Forwards a port to one server, and then to another.
    private static final class PortForwarder implements AutoCloseable {
        private final RawServer server;
        private volatile int port;

        PortForwarder(int port) throws IOException {
            this.port = port;
            this.server = RawServer.start(wire -> {
                try (Socket onward = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
                    Thread.ofVirtual().start(() -> copy(onward, wire.socket));
                    wire.socket.getInputStream().transferTo(onward.getOutputStream());
                }
            });
        }

        private static void copy(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException closed) {
                // One side has closed.
            }
        }

        URI through(URI address) {
            return URI.create("http://127.0.0.1:" + server.port() + address.getRawPath());
        }

        void forwardTo(int other) throws IOException {
            port = other;
            server.disconnectAll();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
