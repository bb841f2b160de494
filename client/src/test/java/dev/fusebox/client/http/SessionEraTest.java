package dev.fusebox.client.http;

import static dev.fusebox.client.http.RawSession.greeted;
import static dev.fusebox.client.http.RawSession.requestsOf;
import static dev.fusebox.client.http.RawSession.session;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.fixtures.server.FaultKind;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions over Streamable HTTP: headers, event streams, and lost sessions.
@Timeout(120)
class SessionEraTest {
    private static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"serverInfo\":{\"name\":\"raw\",\"version\":\"1\"}}";
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}";
    private static final String QUESTION = "{\"jsonrpc\":\"2.0\",\"id\":\"q-7\",\"method\":\"elicitation/create\"}";
    private static final String NO_STREAM = RawServer.plain(405, "text/plain", "");

    // ---- Headers

    @Test
    void every_request_after_the_handshake_has_session_id_and_revision() throws Exception {
        try (RawServer server = session(request -> RawServer.json(200, request.result(DONE)));
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            client.answer("tools/call", ECHO);
            eventually(
                    "a GET has arrived",
                    () -> assertThat(requestsOf(server, "GET")).isNotEmpty());
            client.connection.close();
            eventually(
                    "a DELETE has arrived",
                    () -> assertThat(requestsOf(server, "DELETE")).isNotEmpty());

            assertThat(server.received.getFirst().headers())
                    .doesNotContainKeys("mcp-session-id", "mcp-protocol-version");
            assertThat(server.received.getFirst().header("accept")).contains("application/json", "text/event-stream");
            assertThat(server.received.stream().skip(1)).hasSize(4).allSatisfy(request -> {
                assertThat(request.header("mcp-session-id")).isEqualTo("s-1");
                assertThat(request.header("mcp-protocol-version")).isEqualTo("2025-11-25");
            });
            assertThat(requestsOf(server, "GET").getFirst().header("accept")).isEqualTo("text/event-stream");
        }
    }

    @Test
    void initialized_and_the_event_stream_precede_the_first_call() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (RawServer server = session(request -> RawServer.json(200, request.result(DONE)));
                    RecordingClient client = RecordingClient.at(server.uri())) {
                client.initialize();
                client.answer("tools/call", ECHO);

                List<String> order = server.received.stream()
                        .map(request -> request.body().isEmpty() ? request.method() : request.rpcMethod())
                        .toList();
                assertThat(order).containsExactly("initialize", "notifications/initialized", "GET", "tools/call");
            }
        }
    }

    /// Not every server responds with 405 as it should.
    @Test
    void server_without_an_event_stream_is_usable() throws Exception {
        RawServer.Answers answers = request -> request.method().equals("GET")
                ? RawServer.plain(404, "text/plain", "Cannot GET /mcp")
                : greeted(request, call -> RawServer.json(200, call.result(DONE)));
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(client.losses).isEmpty();
            assertThat(requestsOf(server, "GET")).hasSize(1);
        }
    }

    @Test
    void event_stream_without_a_head_delays_calls_only_briefly() throws Exception {
        RawServer.Answers calls = request -> RawServer.json(200, request.result(DONE));
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.method().equals("GET")) {
                    wire.awaitClosed();
                    return;
                }
                wire.write(String.valueOf(greeted(request, calls)));
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(requestsOf(server, "GET")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "caf\u00e9", ""})
    void invalid_session_id_is_rejected(String id) throws IOException {
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.writeLatin1(
                    RawServer.json(200, request == null ? "" : request.result(WELCOME), "Mcp-Session-Id: " + id));
            wire.awaitClosed();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.failure("initialize", "{}").category()).isEqualTo(FailureCategory.OTHER);
        }
    }

    // ---- Messages on streams

    @Test
    void messages_before_the_response_reach_the_caller_in_order() throws Exception {
        RawServer.Answers calls = request -> {
            String token = String.valueOf(request.json().path("params", "_meta", "progressToken"));
            return RawServer.EVENTS
                    + RawServer.chunk(": keep-alive\n\nretry: 10\nid: 1\ndata:\n\n")
                    + RawServer.chunk(RawServer.data("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                            + "\"params\":{\"progressToken\":" + token + ",\"progress\":1}}"))
                    + RawServer.chunk(RawServer.data("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                            + "\"params\":{\"level\":\"info\",\"data\":1}}"))
                    + RawServer.chunk(RawServer.data(request.result(DONE)))
                    + RawServer.LAST_CHUNK;
        };
        try (RawServer server = session(calls);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(client.next()).startsWith("progress ").contains("\"progressToken\":\"mine\"");
            assertThat(client.next()).startsWith("told ").contains("notifications/message");
            assertThat(client.received).isEmpty();
        }
    }

    @Test
    void request_on_the_stream_of_a_call_reaches_its_caller_and_is_answered_with_the_id_of_the_server()
            throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.body().contains("\"q-7\"")) {
                    answered.countDown();
                    wire.write(RawServer.ACCEPTED);
                } else if (request.rpcMethod().equals("tools/call")) {
                    wire.write(RawServer.EVENTS + RawServer.chunk(RawServer.data(QUESTION)));
                    awaitUninterrupted(answered);
                    wire.write(RawServer.chunk(RawServer.data(request.result(DONE))) + RawServer.LAST_CHUNK);
                } else {
                    wire.write(String.valueOf(greeted(request, other -> null)));
                }
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answersQuestions = true;
            client.initialize();
            Thread caller = Thread.ofVirtual().start(() -> client.answer("tools/call", ECHO));
            assertThat(client.next()).startsWith("asked ").contains("elicitation/create");
            client.connection.answer(
                    JsonView.of("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{\"action\":\"accept\"}}"),
                    RequestId.of("q-7"));
            assertThat(caller.join(RecordingClient.LONG)).isTrue();

            assertThat(server.received.stream().filter(it -> it.body().contains("\"q-7\"")))
                    .singleElement()
                    .matches(it -> it.body().contains("\"accept\""));
        }
    }

    @ParameterizedTest
    @CsvSource({"ping, '\"result\":{}'", "unknown/method, -32601"})
    void request_without_a_handler_is_answered_at_once(String method, String answer) throws Exception {
        RawServer.Answers calls = request -> request.rpcMethod().equals("tools/call")
                ? RawServer.EVENTS
                        + RawServer.chunk(
                                RawServer.data("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"" + method + "\"}"))
                        + RawServer.chunk(RawServer.data(request.result(DONE)))
                        + RawServer.LAST_CHUNK
                : RawServer.ACCEPTED;
        try (RawServer server = session(calls);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            client.answer("tools/call", ECHO);

            eventually(
                    "the response has arrived",
                    () -> server.received.stream().anyMatch(it -> it.body().contains("\"q\"")));
            assertThat(server.received.stream().filter(it -> it.body().contains("\"q\"")))
                    .allMatch(it -> it.body().contains(answer));
        }
    }

    @Test
    void event_stream_of_the_server_is_read_and_resumed() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        RawServer.Answers answers = request -> {
            if (!request.method().equals("GET")) {
                return greeted(request, other -> RawServer.ACCEPTED);
            }
            int number = streams.incrementAndGet();
            return number > 2
                    ? NO_STREAM
                    : RawServer.EVENTS
                            + RawServer.chunk("id: e-" + number + "\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
                                    + "\"notifications/tools/list_changed\"}\n\n")
                            + RawServer.LAST_CHUNK;
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            assertThat(client.next()).contains("list_changed");
            assertThat(client.next()).contains("list_changed");
            eventually(
                    "three GETs have arrived",
                    () -> assertThat(requestsOf(server, "GET")).hasSize(3));

            assertThat(requestsOf(server, "GET").stream().map(it -> it.header("last-event-id")))
                    .containsExactly("", "e-1", "e-2");
        }
    }

    // ---- Cancelling

    @Test
    void cancelled_call_is_aborted_and_reported_to_the_server() throws Exception {
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (!request.rpcMethod().equals("tools/call")) {
                    wire.write(String.valueOf(greeted(request, other -> RawServer.ACCEPTED)));
                }
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, client.platform.ticker());
            Thread.ofVirtual().start(() -> {
                awaitSeen(server);
                deadline.giveUp();
            });

            CallFailure failure = RecordingClient.failed(client.call("tools/call", ECHO, deadline));

            assertThat(failure.category()).isEqualTo(FailureCategory.CANCELLED);
            eventually(
                    "the cancellation has arrived",
                    () -> assertThat(requestsOf(server, "notifications/cancelled"))
                            .isNotEmpty());
            assertThat(requestsOf(server, "notifications/cancelled").getFirst().body())
                    .contains("\"requestId\":"
                            + requestsOf(server, "tools/call").getFirst().id());
        }
    }

    private static void awaitSeen(RawServer server) {
        eventually(
                "the call has arrived",
                () -> assertThat(requestsOf(server, "tools/call")).isNotEmpty());
    }

    // ---- Lost sessions

    @ParameterizedTest
    @CsvSource({
        "404, text/plain, gone",
        "404, application/json, '{\"error\":{\"code\":-32001,\"message\":\"Session not found\"},\"id\":null}'",
        "400, application/json, '{\"error\":{\"code\":-32000,\"message\":\"No valid session ID\"},\"id\":null}'",
        "400, application/json, '{\"error\":{\"code\":-32600,\"message\":\"any\"},\"id\":\"server-error\"}'",
        "400, text/plain, Bad Request"
    })
    void unknown_session_is_lost_and_the_call_rejected(int status, String type, String body) throws IOException {
        try (RawServer server = session(request -> RawServer.plain(status, type, body));
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.id()).isEqualTo(ErrorId.SESSION_LOST);
            assertThat(failure.delivery()).isEqualTo(Delivery.REJECTED);
            assertThat(client.connection.isAlive()).isFalse();
            assertThat(client.losses).hasSize(1);
            assertThat(client.failure("tools/call", ECHO).delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(requestsOf(server, "tools/call")).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"404, -32601", "400, -32602", "400, -32000"})
    void error_with_the_id_of_the_request_keeps_the_session(int status, int code) throws IOException {
        try (RawServer server = session(request -> RawServer.json(status, request.error(code, "Session not found")));
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();

            assertThat(client.answer("tools/call", ECHO)).contains(Integer.toString(code));
            assertThat(client.connection.isAlive()).isTrue();
        }
    }

    @Test
    void status_404_without_a_session_loses_none() throws IOException {
        try (RawServer server = RawServer.answering(request -> RawServer.plain(404, "text/plain", "nothing here"));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.failure("initialize", "{}").code()).isEqualTo(ErrorCode.HTTP_ERROR);
            assertThat(client.connection.isAlive()).isTrue();
        }
    }

    // ---- The end

    @Test
    void close_ends_pending_calls() throws Exception {
        RawServer.Script script = wire -> {
            wire.next();
            wire.awaitClosed();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            Thread.ofVirtual().start(() -> {
                awaitSeen(server);
                client.connection.close();
            });
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            eventually("one loss is reported", () -> assertThat(client.losses).hasSize(1));
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }

    @Test
    void close_does_not_wait_for_an_unresponsive_server() throws Exception {
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (!request.method().equals("DELETE")) {
                    wire.write(String.valueOf(greeted(request, other -> RawServer.ACCEPTED)));
                }
            }
        };
        try (RawServer server = RawServer.start(script)) {
            RecordingClient client = RecordingClient.at(server.uri());
            client.initialize();
            eventually(
                    "a GET has arrived",
                    () -> assertThat(requestsOf(server, "GET")).isNotEmpty());
            long start = System.nanoTime();
            client.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            eventually(
                    "the DELETE has arrived",
                    () -> assertThat(requestsOf(server, "DELETE")).hasSize(1));
        }
    }

    // ---- Fixture server

    @Test
    void fixture_server_is_called_resumed_and_closed() throws Exception {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().with(FaultKind.NOISE));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.initialize()).contains("\"protocolVersion\":\"2025-11-25\"");
            assertThat(client.answer("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hello\"}}"))
                    .contains("hello");
            assertThat(client.answer("tools/call", "{\"name\":\"test_reconnection\"}"))
                    .contains("result");
            assertThat(client.answer(
                            "tools/call", "{\"name\":\"test_tool_with_progress\",\"_meta\":{\"progressToken\":5}}"))
                    .contains("result");
            assertThat(client.next()).contains("\"progressToken\":5");
            assertThat(server.sessions()).isEqualTo(1);
            client.connection.close();
            eventually("no session is open", () -> assertThat(server.sessions()).isEqualTo(0));
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
