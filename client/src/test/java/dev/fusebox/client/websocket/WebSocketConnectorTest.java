package dev.fusebox.client.websocket;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.stream.StreamLimits;
import dev.fusebox.testkit.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The WebSocket transport: handshake, messages, control frames, and the end of a connection.
@Timeout(120)
class WebSocketConnectorTest {
    private static final int MEBIBYTE = 1 << 20;

    @Test
    void call_is_answered_on_the_connection_of_the_handshake() throws Exception {
        AtomicReference<FrameServer.Frame> call = new AtomicReference<>();
        FrameServer.Script script = (peer, number) -> {
            FrameServer.Frame request = peer.request();
            call.set(request);
            String token = String.valueOf(request.json().path("params", "_meta", "progressToken"));
            peer.text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                    + token + ",\"progress\":1}}");
            peer.text(request.result("{\"content\":[]}"));
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();

            assertThat(client.answer(connection)).contains("\"content\":[]");
            assertThat(client.received.take()).contains("\"progressToken\":\"mine\"");
            assertThat(server.requests.getFirst())
                    .startsWith("GET /mcp?key=secret HTTP/1.1")
                    .contains(
                            "Upgrade: websocket",
                            "Connection: Upgrade",
                            "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Protocol: mcp")
                    .noneMatch(line -> line.startsWith("Sec-WebSocket-Extensions"));
            assertThat(call.get().isMasked()).isTrue();
            assertThat(call.get().first()).as("one final text frame").isEqualTo(0x81);
            assertThat(connection.process()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "100", "130", "60000", "70000", "3000000"})
    void messages_of_every_length_arrive_whole_in_both_directions(int padding) throws Exception {
        FrameServer.Script script = (peer, number) -> {
            FrameServer.Frame request = peer.request();
            String text = String.valueOf(request.json().path("params", "text"));
            peer.text(request.result("{\"text\":" + text + "}"));
            peer.readToEnd();
        };
        String text = "\"" + "ä1".repeat(padding / 3) + "\"";
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Outcome outcome = client.call(client.connected(), "{\"text\":" + text + "}");

            assertThat(WebSocketClient.answered(outcome)).contains("{\"text\":" + text + "}");
        }
    }

    @Test
    void fragments_are_joined_and_control_frames_between_them_are_answered() throws Exception {
        AtomicReference<String> pong = new AtomicReference<>();
        FrameServer.Script script = (peer, number) -> {
            byte[] answer = peer.request().result("{\n\"content\":[\"ä\"]}").getBytes(UTF_8);
            for (int i = 0; i < answer.length; i++) {
                boolean isLast = i == answer.length - 1;
                peer.write(FrameServer.frame((isLast ? 0x80 : 0) | (i == 0 ? 1 : 0), new byte[] {answer[i]}));
                if (i == 5) {
                    peer.write(FrameServer.frame(0x80 | FrameServer.PING, "are you there"));
                    peer.write(FrameServer.frame(0x80 | FrameServer.PONG, "unasked"));
                    peer.write(FrameServer.frame(0, ""));
                }
            }
            pong.set(peer.next().text());
            peer.answerAll();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();

            assertThat(client.answer(connection)).contains("\"ä\"").doesNotContain("\n");
            assertThat(client.answer(connection)).contains("content");
            assertThat(pong.get()).isEqualTo("are you there");
        }
    }

    @Test
    void message_over_the_limit_fails_its_call_and_keeps_the_connection() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            String begin = peer.request().result("{\"text\":\"");
            byte[] first = begin.substring(0, begin.length() - 1).getBytes(UTF_8);
            byte[] part = "x".repeat(MEBIBYTE).getBytes(UTF_8);
            peer.write(FrameServer.head(0x81, first.length + 64L * MEBIBYTE + 3));
            peer.write(first);
            for (int i = 0; i < 64; i++) {
                peer.write(part);
            }
            peer.write("\"}}".getBytes(UTF_8));
            peer.answerAll();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();
            CallFailure failure = client.failure(connection);

            assertThat(failure.message()).contains("result too large (64 MiB > 16 MiB");
            assertThat(failure.category()).isEqualTo(FailureCategory.PROTOCOL);
            assertThat(client.answer(connection)).contains("content");
            assertThat(client.losses).isEmpty();
        }
    }

    @Test
    void fragments_over_the_limit_together_fail_their_call_and_keep_the_connection() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            String begin = peer.request().result("{\"text\":\"");
            peer.write(FrameServer.frame(0x01, begin.substring(0, begin.length() - 1)));
            for (int i = 0; i < 8; i++) {
                peer.write(FrameServer.frame(0x00, "x".repeat(20_000)));
            }
            peer.write(FrameServer.frame(0x80, "\"}}"));
            peer.answerAll();
        };
        StreamLimits limits = StreamLimits.defaults().withFrameBytes(100_000);
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri(), limits)) {
            Connection connection = client.connected();

            assertThat(client.failure(connection).message()).contains("result too large");
            assertThat(client.answer(connection)).contains("content");
        }
    }

    @Test
    void message_without_an_end_costs_the_connection() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            peer.write(FrameServer.frame(0x01, "{"));
            byte[] part = FrameServer.frame(0x00, "x".repeat(100_000));
            try {
                while (true) {
                    peer.write(part);
                }
            } catch (IOException closed) {
                peer.socket.close();
            }
        };
        StreamLimits limits = StreamLimits.defaults().withFrameBytes(100_000).withDiscardBytes(1_000_000);
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri(), limits)) {
            CallFailure failure = client.failure(client.connected());

            assertThat(failure.message()).contains("sent an endless message");
            assertThat(failure.id()).isEqualTo(ErrorId.PROTOCOL_VIOLATION);
            assertThat(client.answer(client.connected())).contains("content");
        }
    }

    /// The server reads nothing meanwhile. What the sockets do not take of 30 MB of pongs has to wait, and only the
    /// last one is kept.
    @Test
    void flood_of_pings_gets_the_last_pong_and_keeps_the_connection() throws Exception {
        int pings = 300_000;
        AtomicInteger pongs = new AtomicInteger();
        AtomicReference<String> last = new AtomicReference<>("");
        FrameServer.Script script = (peer, number) -> {
            FrameServer.Frame request = peer.request();
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            for (int i = 1; i <= pings; i++) {
                flood.writeBytes(FrameServer.frame(0x80 | FrameServer.PING, String.format("%0100d", i)));
                if (i % 1000 == 0) {
                    peer.write(flood.toByteArray());
                    flood.reset();
                }
            }
            peer.text(request.result("{\"content\":[]}"));
            while (!last.get().endsWith("0" + pings)) {
                last.set(peer.next().text());
                pongs.incrementAndGet();
            }
            peer.answerAll();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();

            assertThat(client.answer(connection)).contains("content");
            assertThat(client.answer(connection)).contains("content");
            assertThat(pongs.get()).isLessThan(pings);
            assertThat(client.losses).isEmpty();
        }
    }

    @Test
    void close_of_the_server_is_answered_and_fails_the_calls_in_flight() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            peer.write(FrameServer.frame(0x88, "\u0003\u00E9over secret".getBytes(ISO_8859_1)));
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.failure(client.connected());

            assertThat(failure.message())
                    .contains("closed the WebSocket with code 1001 (going away): over")
                    .doesNotContain("secret");
            assertThat(failure.id()).isEqualTo(ErrorId.CONNECTION_LOST);
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            eventually("the close is answered", () -> assertThat(server.closes).containsExactly(1001));
            assertThat(client.answer(client.connected())).contains("content");
        }
    }

    /// A server that closes idle connections does so with this code, or without one.
    @ParameterizedTest
    @ValueSource(strings = {"", "\u0003\u00E8", "\u0003\u00E8idle"})
    void normal_closure_is_no_failure_of_the_server(String payload) throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            peer.write(FrameServer.frame(0x88, payload.getBytes(ISO_8859_1)));
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.failure(client.connected());

            assertThat(failure.id()).isEqualTo(ErrorId.CONNECTION_LOST);
            assertThat(failure.category()).isEqualTo(FailureCategory.LOCAL);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    @Test
    void close_of_the_gateway_is_announced_and_fails_the_calls_in_flight() throws Exception {
        CountDownLatch hasCall = new CountDownLatch(1);
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            hasCall.countDown();
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();
            CompletableFuture<Outcome> call = client.calling(connection, "{}");
            hasCall.await();
            connection.close();

            assertThat(WebSocketClient.failed(call.get()).isCutOff()).isTrue();
            eventually(
                    "the server gets the close frame",
                    () -> assertThat(server.closes).containsExactly(1000));
            assertThat(client.losses).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void server_that_ends_the_connection_without_a_close_fails_the_calls_in_flight(boolean isHalf) throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            if (isHalf) {
                peer.socket.shutdownOutput();
                peer.readToEnd();
            } else {
                peer.socket.setSoLinger(true, 0);
            }
        };
        assertThat(WebSocketClient.losesItsFirstCall(script).message()).contains("connection");
    }

    @Test
    void server_that_stops_reading_is_disconnected_after_stuckWriteMs() throws Exception {
        FrameServer.Script script = (peer, number) -> peer.readNothing();
        ManualTime time = new ManualTime();
        StreamLimits limits = StreamLimits.defaults().withStuckWrite(Duration.ofSeconds(30));
        String large = "{\"text\":\"" + "x".repeat(32 * MEBIBYTE) + "\"}";
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(time, server.uri(), limits)) {
            Connection connection = client.connected();
            CompletableFuture<Outcome> call = client.calling(connection, large);
            // The socket takes some of it at first, and each part counts as progress.
            eventually("the call has failed", () -> {
                time.advance(Duration.ofSeconds(31));
                return call.isDone();
            });

            CallFailure failure = WebSocketClient.failed(call.get());
            assertThat(failure.message()).contains("has read nothing for 30000 ms and was disconnected");
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(client.answer(client.connected())).contains("content");
        }
    }

    @Test
    void full_queue_of_a_server_that_does_not_read_refuses_further_calls() throws Exception {
        FrameServer.Script script = (peer, number) -> peer.readNothing();
        StreamLimits limits = StreamLimits.defaults().withQueueBytes(MEBIBYTE);
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri(), limits)) {
            Connection connection = client.connected();

            // Each of them fits; the buffers of the system take the first ones.
            String text = "{\"text\":\"" + "x".repeat(MEBIBYTE * 3 / 4) + "\"}";
            Queue<CallFailure> failures = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < 40; i++) {
                Thread.ofVirtual().start(() -> failures.add(WebSocketClient.failed(client.call(connection, text))));
            }
            eventually("a call is refused", () -> !failures.isEmpty());
            assertThat(failures).allSatisfy(failure -> {
                assertThat(failure.message()).contains("does not read its input");
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            });
            connection.close();
        }
    }

    @Test
    void requests_of_the_server_are_answered() throws Exception {
        AtomicReference<String> pong = new AtomicReference<>();
        AtomicReference<String> refusal = new AtomicReference<>();
        FrameServer.Script script = (peer, number) -> {
            FrameServer.Frame request = peer.request();
            peer.text("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}");
            pong.set(peer.next().text());
            peer.text("{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"roots/list\"}");
            refusal.set(peer.next().text());
            peer.text(request.result("{\"content\":[]}"));
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            assertThat(client.answer(client.connected())).contains("content");
            assertThat(pong.get()).contains("\"id\":\"a\"").contains("\"result\"");
            assertThat(refusal.get()).contains("\"id\":\"b\"").contains("-32601");
            assertThat(client.received.take()).contains("roots/list");
        }
    }

    // ---- The handshake

    /// Response to an upgrade request.
    @FunctionalInterface
    private interface Answer {
        String to(FrameServer.Peer peer);
    }

    private static CallFailure refused(Answer answer) throws IOException {
        FrameServer.Script script = (peer, number) -> {
            peer.readHead();
            if (number == 1) {
                peer.write(answer.to(peer).getBytes(ISO_8859_1));
            } else {
                peer.write(peer.switching("").getBytes(ISO_8859_1));
                peer.answerAll();
            }
        };
        try (FrameServer server = new FrameServer(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.refused();
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(client.answer(client.connected()))
                    .as("without the subprotocol")
                    .contains("content");
            return failure;
        }
    }

    private static void isViolation(CallFailure failure, String words) {
        assertThat(failure.message()).contains(words);
        assertThat(failure.id()).isEqualTo(ErrorId.PROTOCOL_VIOLATION);
        assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
    }

    @Test
    void wrong_accept_refuses_the_connection() throws Exception {
        isViolation(refused(peer -> peer.switching("").replace("Accept: ", "Accept: A")), "wrong Sec-WebSocket-Accept");
        isViolation(
                refused(peer -> peer.switching("").replaceAll("Sec-WebSocket-Accept: .*\r\n", "")),
                "wrong Sec-WebSocket-Accept");
    }

    @Test
    void switch_to_something_else_refuses_the_connection() throws Exception {
        isViolation(
                refused(peer -> peer.switching("").replace("Upgrade: WebSocket", "Upgrade: h2c")), "did not switch");
        isViolation(refused(peer -> peer.switching("").replace("keep-alive, Upgrade", "close")), "did not switch");
        isViolation(
                refused(peer -> peer.switching("Sec-WebSocket-Protocol: graphql-ws\r\n")),
                "subprotocol other than mcp");
        isViolation(
                refused(peer -> peer.switching("Sec-WebSocket-Extensions: permessage-deflate\r\n")),
                "extension that was not offered");
    }

    @Test
    void answer_without_a_switch_fails_like_over_http() throws Exception {
        CallFailure page = refused(
                peer -> "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>");
        assertThat(page.id()).isEqualTo(ErrorId.WEB_PAGE);
        assertThat(page.message())
                .contains("did not switch to another protocol")
                .contains("HTTP 200");

        CallFailure missing = refused(peer -> "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        assertThat(missing.id()).isEqualTo(ErrorId.HTTP_404);

        CallFailure login =
                refused(peer -> "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n");
        assertThat(login.id()).isEqualTo(ErrorId.HTTP_401);
        assertThat(login.category()).isEqualTo(FailureCategory.AUTH);

        CallFailure noise = refused(peer -> "hello\r\n\r\n");
        assertThat(noise.id()).isEqualTo(ErrorId.NOT_HTTP);
    }

    @Test
    void connection_that_ends_during_the_upgrade_is_an_offline_server() throws Exception {
        CallFailure failure = refused(peer -> "");

        assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
        assertThat(failure.message()).contains("closed the connection").startsWith("ws://127.0.0.1:");
    }

    @Test
    void server_that_never_answers_the_upgrade_is_given_up() throws Exception {
        CountDownLatch hasRequest = new CountDownLatch(1);
        FrameServer.Script script = (peer, number) -> {
            peer.readHead();
            hasRequest.countDown();
            peer.readToEnd();
        };
        ManualTime time = new ManualTime();
        try (FrameServer server = new FrameServer(script);
                WebSocketClient client = new WebSocketClient(time, server.uri(), StreamLimits.defaults())) {
            CompletableFuture<Connector.Opened> opened = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> opened.complete(client.open()));
            hasRequest.await();
            time.advance(Duration.ofSeconds(16));

            CallFailure failure = WebSocketClient.refused(opened.get());
            assertThat(failure.message()).contains("did not answer within 15000 ms");
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        }
    }
}
