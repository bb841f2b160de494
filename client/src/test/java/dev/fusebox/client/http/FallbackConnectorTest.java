package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that may support only the transport of revision 2024-11-05.
@Timeout(60)
class FallbackConnectorTest {
    private static final String HELLO = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}";

    private final Platform platform = Platform.system();
    private final OutboundHttpClient outboundHttpClient =
            OutboundHttpClient.open(platform, OutboundSettings.defaults().withConnectTimeout(Duration.ofSeconds(2)));
    private final AtomicReference<RawServer.Wire> stream = new AtomicReference<>();
    private final RecordingClient client =
            new RecordingClient(outboundHttpClient, HttpTarget.of(URI.create("http://127.0.0.1:9/")));

    @AfterEach
    void end() {
        client.close();
    }

    /// A server of the older transport: it rejects a POST to the URL of its stream.
    private RawServer older(int status) throws IOException {
        return RawServer.start(wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.method().equals("GET")) {
                    stream.set(wire);
                    wire.write(RawServer.EVENTS_TO_END + "event: endpoint\ndata: /messages\n\n");
                } else if (request.line().startsWith("POST /messages ")) {
                    wire.write(RawServer.ACCEPTED);
                    stream.get().write("event: message\n" + RawServer.data(request.result("{\"content\":[]}")));
                } else {
                    wire.write(RawServer.plain(status, "text/plain", "no"));
                }
            }
        });
    }

    private Connection open(RawServer server) {
        Connector.Opened opened =
                new FallbackConnector(platform, outboundHttpClient, HttpTarget.of(server.uri())).open(client);
        return ((Connector.Opened.Connected) opened).connection();
    }

    private Outcome call(Connection connection, String method, String params) {
        Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, platform.ticker());
        return connection.call(new Call(RecordingClient.request("1", method, params), deadline, client));
    }

    private static List<String> methods(RawServer server) {
        return server.received.stream().map(RawServer.Received::method).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405})
    void server_that_rejects_initialize_is_reached_over_the_older_transport(int status) throws Exception {
        try (RawServer server = older(status)) {
            Connection connection = open(server);
            assertThat(RecordingClient.answered(call(connection, "initialize", HELLO)))
                    .contains("content");
            assertThat(connection.isAlive()).isTrue();
            assertThat(RecordingClient.answered(call(connection, "tools/call", "{\"name\":\"echo\"}")))
                    .contains("content");
            assertThat(methods(server)).containsExactly("POST", "GET", "POST", "POST");
            assertThat(client.losses).isEmpty();
            server.disconnectAll();
            eventually("the loss of the stream is reported once", () -> client.losses.size() == 1);
            assertThat(connection.isAlive()).isFalse();
            connection.close();
            assertThat(client.losses).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 429, 500, 503})
    void rejection_unrelated_to_the_transport_is_final(int status) throws Exception {
        try (RawServer server = older(status)) {
            Outcome outcome = call(open(server), "initialize", HELLO);
            assertThat(RecordingClient.failed(outcome).evidence().httpStatus()).isEqualTo(status);
            assertThat(methods(server)).doesNotContain("GET");
        }
    }

    @Test
    void server_without_either_transport_fails_with_its_first_rejection() throws Exception {
        try (RawServer server = RawServer.answering(
                request -> RawServer.plain(request.method().equals("GET") ? 500 : 404, "text/plain", "no"))) {
            Connection connection = open(server);
            Outcome outcome = call(connection, "initialize", HELLO);
            assertThat(RecordingClient.failed(outcome).evidence().httpStatus()).isEqualTo(404);
            assertThat(methods(server)).containsExactly("POST", "GET");
            connection.close();
        }
    }

    @Test
    void jsonrpc_error_does_not_trigger_the_fallback() throws Exception {
        try (RawServer server =
                RawServer.answering(request -> RawServer.json(400, request.error(-32_602, "no such version")))) {
            Outcome outcome = call(open(server), "initialize", HELLO);
            assertThat(outcome).isInstanceOf(Outcome.Answered.class);
            assertThat(methods(server)).containsExactly("POST");
        }
    }

    @Test
    void only_initialize_triggers_the_fallback() throws Exception {
        try (RawServer server = older(404)) {
            Outcome outcome = call(open(server), "tools/call", "{\"name\":\"echo\"}");
            assertThat(RecordingClient.failed(outcome).evidence().httpStatus()).isEqualTo(404);
            assertThat(methods(server)).containsExactly("POST");
        }
    }
}
