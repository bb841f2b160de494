package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.WireListener;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.MessagePreview;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The transport of revision 2024-11-05: an event stream from the server, and a POST for each message to it.
@Timeout(120)
class SseConnectorTest {
    private static final String ECHO = "{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}";

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

    /// Action of the server for a posted message, after the POST was accepted.
    @FunctionalInterface
    private interface Work {
        void with(RawServer.Received request, RawServer.Wire stream) throws IOException;
    }

    private RawServer server(String endpoint, Work work) throws IOException {
        return RawServer.start(wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.method().equals("GET")) {
                    stream.set(wire);
                    wire.write(RawServer.EVENTS_TO_END + "event: endpoint\ndata: " + endpoint + "\n\n");
                } else {
                    wire.write(RawServer.ACCEPTED);
                    work.with(request, stream.get());
                }
            }
        });
    }

    private Connector.Opened open(RawServer server) {
        return new SseConnector(platform, outboundHttpClient, HttpTarget.of(server.uri())).open(client);
    }

    private Connection connected(RawServer server) {
        Connector.Opened opened = open(server);
        assertThat(opened).isInstanceOf(Connector.Opened.Connected.class);
        return ((Connector.Opened.Connected) opened).connection();
    }

    private CallFailure refused(RawServer server) {
        Connector.Opened opened = open(server);
        assertThat(opened).isInstanceOf(Connector.Opened.Refused.class);
        return ((Connector.Opened.Refused) opened).failure();
    }

    private Outcome call(Connection connection) {
        Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, platform.ticker());
        return connection.call(new Call(RecordingClient.request("\"mine\"", "tools/call", ECHO), deadline, client));
    }

    @Test
    void call_is_posted_and_answered_on_the_stream() throws Exception {
        Work work = (request, wire) -> {
            String token = String.valueOf(request.json().path("params", "_meta", "progressToken"));
            wire.write("event: message\n"
                    + RawServer.data("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                            + "{\"progressToken\":" + token + ",\"progress\":1}}")
                    + RawServer.data(request.result("{\"content\":[]}")));
        };
        try (RawServer server = server("/messages?session=7", work)) {
            Connection connection = connected(server);

            assertThat(RecordingClient.answered(call(connection))).contains("content");
            assertThat(client.next()).contains("\"progressToken\":\"mine\"");
            assertThat(server.received.getLast().line()).isEqualTo("POST /messages?session=7 HTTP/1.1");
            connection.close();
            eventually(
                    "the connection is dead and at most one is open",
                    () -> !connection.isAlive() && outboundHttpClient.openConnections() <= 1);
        }
    }

    /// F101
    @Test
    void internal_error_while_reading_the_stream_closes_it_as_a_local_failure() throws Exception {
        BlockingQueue<CallFailure> losses = new LinkedBlockingQueue<>();
        WireListener failing = new WireListener() {
            @Override
            public void frame(byte[] buffer, int from, int to) {
                throw new OutOfMemoryError("for a test");
            }

            @Override
            public void tooLong(MessagePreview seen, long bytes, long limit) {
                throw new AssertionError("nothing is long here");
            }

            @Override
            public void refused(byte[] frame, CallFailure failure) {
                throw new AssertionError("nothing is refused here");
            }

            @Override
            public void lost(CallFailure failure) {
                losses.add(failure);
            }
        };
        Work work = (request, wire) -> wire.write("event: message\n" + RawServer.data(request.result("{}")));
        try (RawServer server = server("/messages", work)) {
            SseWire wire = new SseWire(
                    new RemoteServer(platform, outboundHttpClient, HttpTarget.of(server.uri()), RequestAuthorizer.NONE),
                    failing);
            assertThat(wire.open()).isNull();
            byte[] frame =
                    RecordingClient.request("1", "tools/call", ECHO).frame().bytes();
            assertThat(wire.send(frame)).isTrue();

            CallFailure why = losses.poll(60, TimeUnit.SECONDS);
            assertThat(why).isNotNull().extracting(CallFailure::category).isEqualTo(FailureCategory.LOCAL);
            assertThat(wire.send(frame)).isFalse();
            eventually(
                    "at most one connection is open",
                    () -> assertThat(outboundHttpClient.openConnections()).isLessThanOrEqualTo(1));
        }
    }

    @Test
    void end_of_the_stream_ends_pending_calls() throws Exception {
        try (RawServer server = server("/messages", (request, wire) -> wire.socket.close())) {
            Connection connection = connected(server);
            CallFailure failure = RecordingClient.failed(call(connection));

            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(connection.isAlive()).isFalse();
            // The calls fail before the handler is called.
            eventually("one loss is reported", () -> assertThat(client.losses).hasSize(1));
        }
    }

    /// Responds to the first POSTs with this status, and to all later ones on the stream.
    private RawServer refusing(int status, int times) throws IOException {
        AtomicInteger posts = new AtomicInteger();
        return RawServer.start(wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.method().equals("GET")) {
                    stream.set(wire);
                    wire.write(RawServer.EVENTS_TO_END + "event: endpoint\ndata: /messages\n\n");
                } else if (posts.incrementAndGet() <= times) {
                    wire.write(RawServer.plain(status, "text/plain", "refused"));
                } else {
                    wire.write(RawServer.ACCEPTED);
                    stream.get().write(RawServer.data(request.result("{}")));
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"500,HTTP", "400,OTHER", "413,OTHER", "401,AUTH"})
    void rejected_message_fails_only_its_own_call(int status, FailureCategory category) throws Exception {
        try (RawServer server = refusing(status, 1)) {
            Connection connection = connected(server);
            CallFailure failure = RecordingClient.failed(call(connection));

            assertThat(failure.category()).isEqualTo(category);
            assertThat(failure.delivery()).isEqualTo(Delivery.REJECTED);
            assertThat(failure.evidence().httpStatus()).isEqualTo(status);
            assertThat(connection.isAlive()).isTrue();
            assertThat(RecordingClient.answered(call(connection))).contains("result");
        }
    }

    @ParameterizedTest
    @CsvSource({"404,1", "410,1", "400,3"})
    void status_of_an_unknown_session_closes_the_connection(int status, int times) throws Exception {
        try (RawServer server = refusing(status, times)) {
            Connection connection = connected(server);
            for (int i = 0; i < times; i++) {
                assertThat(connection.isAlive()).isTrue();
                CallFailure failure = RecordingClient.failed(call(connection));
                assertThat(failure.evidence().httpStatus()).as("%s", failure).isEqualTo(status);
            }
            eventually("the connection is dead", () -> !connection.isAlive());
        }
    }

    @Test
    void server_that_delays_its_post_responses_can_handle_two_calls_at_once() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.method().equals("GET")) {
                    stream.set(wire);
                    wire.write(RawServer.EVENTS_TO_END + "event: endpoint\ndata: /messages\n\n");
                    continue;
                }
                both.countDown();
                await(both);
                RawServer.Wire events = stream.get();
                synchronized (stream) {
                    events.write(RawServer.data(request.result("{}")));
                }
                wire.write(RawServer.ACCEPTED);
            }
        };
        try (RawServer server = RawServer.start(script)) {
            Connection connection = connected(server);
            Thread other = Thread.ofVirtual().start(() -> call(connection));

            assertThat(RecordingClient.answered(call(connection))).contains("result");
            assertThat(other.join(RecordingClient.LONG)).isTrue();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @CsvSource({"http://example.invalid/messages", "https://127.0.0.1/messages", "'http://[bad'"})
    void endpoint_of_another_origin_is_rejected(String endpoint) throws Exception {
        try (RawServer server = server(endpoint, (request, wire) -> {})) {
            CallFailure failure = refused(server);

            assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        }
    }

    @ParameterizedTest
    @CsvSource({"401, AUTH", "404, OTHER", "500, HTTP"})
    void server_without_the_stream_fails_by_its_status(int status, FailureCategory category) throws Exception {
        try (RawServer server = RawServer.answering(request -> RawServer.plain(status, "text/plain", "no"))) {
            CallFailure failure = refused(server);

            assertThat(failure.category()).isEqualTo(category);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        }
    }
}
