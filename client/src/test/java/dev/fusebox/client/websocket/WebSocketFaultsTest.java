package dev.fusebox.client.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that keep to RFC 6455 and are unreliable all the same.
@Timeout(120)
class WebSocketFaultsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 20})
    void connection_that_ends_inside_of_a_message_leaves_the_outcome_unknown(int bytes) throws Exception {
        FrameServer.Script script = (peer, number) -> {
            byte[] frame = FrameServer.frame(0x81, peer.request().result("{\"content\":[]}"));
            peer.write(Arrays.copyOf(frame, bytes));
        };
        assertThat(WebSocketClient.losesItsFirstCall(script).message()).contains("connection");
    }

    @Test
    void second_and_foreign_answers_reach_no_call() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            for (int i = 0; i < 100; i++) {
                FrameServer.Frame request = peer.request();
                peer.text("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{\"foreign\":1}}");
                peer.text("{\"jsonrpc\":\"2.0\",\"id\":\"" + request.id() + "\",\"result\":{\"foreign\":2}}");
                peer.text(request.result("{\"number\":" + i + "}"));
                peer.text(request.result("{\"again\":" + i + "}"));
            }
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();
            for (int i = 0; i < 100; i++) {
                assertThat(client.answer(connection)).contains("{\"number\":" + i + "}");
            }
            assertThat(connection.isAlive()).isTrue();
        }
    }

    @Test
    void reason_of_a_close_is_shown_on_one_line_without_secrets_and_nothing_after_it_counts() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            FrameServer.Frame request = peer.request();
            String reason = "\u001b[31mkey=secret\r\n" + "é".repeat(50);
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            sent.writeBytes(FrameServer.head(0x88, 2 + reason.getBytes(UTF_8).length));
            sent.writeBytes(new byte[] {0x03, (byte) 0xF5});
            sent.writeBytes(reason.getBytes(UTF_8));
            sent.writeBytes(FrameServer.frame(0x81, request.result("{\"late\":true}")));
            sent.writeBytes(FrameServer.frame(0x83, "no frame at all"));
            peer.write(sent.toByteArray());
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.failure(client.connected());

            assertThat(failure.message())
                    .contains("closed the WebSocket with code 1013 (try again later): ", "é".repeat(50))
                    .doesNotContain("secret", "\u001b", "\r", "\n");
            assertThat(failure.id()).isEqualTo(ErrorId.CONNECTION_LOST);
        }
    }

    @Test
    void redirected_upgrade_is_not_followed() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.readHead();
            String location = "Location: ws://127.0.0.1:1/?key=secret";
            String head = String.join("\r\n", "HTTP/1.1 307 Temporary Redirect", location, "Content-Length: 0", "", "");
            peer.write(head.getBytes(ISO_8859_1));
        };
        try (FrameServer server = new FrameServer(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.refused();

            assertThat(failure.id()).isEqualTo(ErrorId.HTTP_REDIRECT);
            assertThat(failure.message())
                    .contains("redirect to ws://127.0.0.1:1/")
                    .doesNotContain("secret");
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(server.requests).hasSize(1);
        }
    }

    @Test
    void message_in_a_hundred_thousand_empty_fragments_is_one_message() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            String result = peer.request().result("{\"content\":[]}");
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            sent.writeBytes(FrameServer.frame(0x01, result.substring(0, 5)));
            for (int i = 0; i < 100_000; i++) {
                sent.writeBytes(FrameServer.frame(0x00, ""));
            }
            sent.writeBytes(FrameServer.frame(0x80, result.substring(5)));
            peer.write(sent.toByteArray());
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            assertThat(client.answer(client.connected())).contains("content");
        }
    }

    @Test
    void bytes_of_the_first_message_may_come_with_the_response_to_the_upgrade() throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.readHead();
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            sent.writeBytes(peer.switching("Sec-WebSocket-Protocol: mcp\r\n").getBytes(ISO_8859_1));
            sent.writeBytes(
                    FrameServer.frame(0x81, "{\"jsonrpc\":\"2.0\",\"id\":\"early\",\"method\":\"roots/list\"}"));
            peer.write(sent.toByteArray());
            peer.answerAll();
        };
        try (FrameServer server = new FrameServer(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection connection = client.connected();
            assertThat(client.received.take()).contains("early");
            CompletableFuture<Outcome> call = client.calling(connection, "{}");
            connection.close();
            connection.close();
            assertThat(call.get()).isNotNull();
        }
    }
}
