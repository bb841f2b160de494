package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.CountingServer;
import dev.fusebox.gateway.session.SessionSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of every front end and era send pairs of messages without waiting, to a server that counts those that
/// arrive out of order.
///
/// `-Dpairs=100000` sets the number of pairs.
@Tag("process")
@Timeout(300)
class CallOrderTest {
    private static final int PAIRS = Integer.getInteger("pairs", 2_000);
    private static final int WINDOW = 100;

    private int last = 1;

    @BeforeAll
    static void needs() {
        Machine.needsPython();
    }

    private String note(int number) {
        return Frame.call(nextId(), "note", "{\"n\":" + number + "}");
    }

    private String noteWithout(int number) {
        return Frame.statelessCall(nextId(), "", "note", "{\"n\":" + number + "}");
    }

    private String nextId() {
        return Integer.toString(++last);
    }

    private static String told(int number) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/note\",\"params\":{\"n\":" + number + "}}";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stdio_messages_keep_their_order(boolean isStateless) {
        try (StdioClient client = isStateless
                ? StdioClient.silent(SessionSettings.of("server"), CountingServer.spec())
                : StdioClient.of(CountingServer.spec())) {
            for (int i = 0; i < 2 * PAIRS; i++) {
                client.say(isStateless ? noteWithout(i) : note(i));
                if (i % WINDOW == 0) {
                    client.answer(Integer.toString(last));
                }
            }

            String asked = "\"stats\"";
            String stats =
                    isStateless ? Frame.statelessCall(asked, "", "stats", "{}") : Frame.call(asked, "stats", "{}");
            assertThat(Frame.text(client.ask(asked, stats))).isEqualTo(CountingServer.inOrder(2 * PAIRS));
        }
    }

    private static String stats(StdioClient client) {
        return Frame.text(client.call("\"stats\"", "stats", "{}"));
    }

    @Test
    void notifications_and_calls_keep_their_order() {
        try (StdioClient client = StdioClient.of(CountingServer.spec())) {
            for (int i = 0; i < PAIRS; i++) {
                client.say(note(2 * i));
                client.say(told(2 * i + 1));
                if (i % WINDOW == 0) {
                    client.answer(Integer.toString(last));
                }
            }

            assertThat(stats(client)).isEqualTo(CountingServer.inOrder(2 * PAIRS));
        }
    }

    @Test
    void batch_keeps_its_order_and_precedes_later_messages() {
        String hello = Frame.hello("\"hello\"").replace("2025-11-25", "2025-03-26");
        try (StdioClient client = StdioClient.silent(SessionSettings.of("server"), CountingServer.spec("2025-03-26"))) {
            client.ask("\"hello\"", hello);
            client.say(Frame.INITIALIZED);

            for (int i = 0; i < PAIRS; i += 10) {
                List<String> batch = new ArrayList<>();
                for (int j = 0; j < 9; j++) {
                    batch.add(note(i + j));
                }
                client.say("[" + String.join(",", batch) + "]");
                client.ask(Integer.toString(last + 1), note(i + 9));
            }

            assertThat(stats(client)).isEqualTo(CountingServer.inOrder(PAIRS));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messages_on_one_http_connection_keep_their_order(boolean isStateless) throws IOException {
        try (WebGateway gateway = WebGateway.of(CountingServer.spec());
                WebClient first = gateway.connect();
                WebClient client = isStateless ? first.stateless("note") : first.hello()) {
            for (int i = 0; i < PAIRS; i++) {
                for (int j = 0; j < 2; j++) {
                    String frame = isStateless ? noteWithout(2 * i + j) : note(2 * i + j);
                    client.send(frame.getBytes(UTF_8));
                }
                client.answer();
                WebClient.Answer answer = client.answer();
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).contains(CountingServer.inOrder(2 * i + 2));
            }
        }
    }

    @Test
    void messages_of_the_older_transport_keep_their_order() throws IOException {
        try (WebGateway gateway = WebGateway.of(CountingServer.spec());
                SseClient client = SseClient.of(gateway).hello()) {
            for (int i = 0; i < PAIRS; i++) {
                client.messages().send(note(2 * i).getBytes(UTF_8));
                client.messages().send(note(2 * i + 1).getBytes(UTF_8));
                assertThat(client.messages().answer().status()).isEqualTo(202);
                assertThat(client.messages().answer().status()).isEqualTo(202);
                assertThat(Frame.text(client.answer(Integer.toString(last))))
                        .isEqualTo(CountingServer.inOrder(2 * i + 2));
                client.heard().clear();
            }
        }
    }
}
