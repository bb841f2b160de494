package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages without a response.
@Timeout(120)
class NotificationSenderTest {
    private static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}";

    private static byte[] notification(int number) {
        return ("{\"jsonrpc\":\"2.0\",\"method\":\"test/" + number + "\"}").getBytes(UTF_8);
    }

    private static boolean knows(RawServer server, String method) {
        return server.received.stream().anyMatch(request -> request.rpcMethod().equals(method));
    }

    @Test
    void notifications_are_sent_again_after_an_overload() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        RawServer.Answers answers = request -> {
            if (request.rpcMethod().startsWith("test/")) {
                await(gate);
            }
            return request.rpcMethod().equals("initialize")
                    ? RawServer.json(200, request.result(WELCOME))
                    : request.method().equals("GET") ? RawServer.plain(405, "text/plain", "") : RawServer.ACCEPTED;
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            for (int i = 0; i < 1_000; i++) {
                client.connection.sendOneWay(notification(i));
            }
            assertThat(client.connection.dropped()).isPositive();
            gate.countDown();

            eventually("a notification is sent again", () -> {
                client.connection.sendOneWay(notification(5_000));
                return knows(server, "test/5000");
            });
        }
    }

    private static void await(CountDownLatch gate) throws IOException {
        try {
            if (!gate.await(30, TimeUnit.SECONDS)) {
                throw new IOException("the gate was not opened");
            }
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }
}
