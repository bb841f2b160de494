package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Long requests at the same time: how many are held whole.
///
/// Over five seconds: half a megabyte arrives in chunks of a byte.
@Timeout(60)
class RequestMemoryTest {
    private static final int FREE = 8 << 10;

    /// For one body of 50,000 bytes beside its free beginning, and not for two.
    private static final long ROOM = 80_000;

    private static final String SHORT = "s".repeat(FREE);
    private static final String LONG = "first" + "l".repeat(50_000) + "last";

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private HttpServer front;

    /// Answers with how much of the body is there; `/hold` when it is told to.
    private void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
        if (request.path().equals("/hold")) {
            held.countDown();
            assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
        }
        String body = new String(request.body(), UTF_8);
        String said = request.isCut()
                ? "cut " + body.length() + " " + body.startsWith("firstl") + " " + body.endsWith("llast")
                : "whole " + body.length();
        reply.respond(200, HttpHeaders.none(), said.getBytes(UTF_8));
    }

    @BeforeEach
    void open() throws IOException {
        HttpLimits limits = new HttpLimits(1 << 20, ROOM, 8192, 65536, 100, 100, 1000);
        front = HttpServer.open(Transport.TCP.settings().withLimits(limits), this::handle, Platform.system());
    }

    @AfterEach
    void close() {
        go.countDown();
        front.close();
    }

    private String chunked(String path, String body) {
        StringBuilder text =
                new StringBuilder(Requests.with(front, "POST " + path + " HTTP/1.1", "Transfer-Encoding: chunked"));
        for (int at = 0; at < body.length(); at += 3_000) {
            String chunk = body.substring(at, Math.min(body.length(), at + 3_000));
            text.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return text.append("0\r\n\r\n").toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_what_there_is_no_room_for_the_ends_are_kept_and_the_connection_lives_on(boolean inChunks)
            throws IOException, InterruptedException {
        try (RawClient first = RawClient.of(front);
                RawClient second = RawClient.of(front)) {
            first.send(Requests.post(front, "/hold", LONG));
            assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 2; i++) {
                second.send(inChunks ? chunked("/", LONG) : Requests.post(front, "/", LONG));
                assertThat(second.answer().body()).isEqualTo("cut 4096 true true");
                assertThat(second.send(Requests.post(front, "/", SHORT))
                                .answer()
                                .body())
                        .isEqualTo("whole " + SHORT.length());
            }
            go.countDown();
            assertThat(first.answer().body()).isEqualTo("whole " + LONG.length());
            // Given back when the handler has returned, which is a moment after its answer.
            eventually(
                    "the second request is answered in full",
                    () -> isWhole(second, inChunks ? chunked("/", LONG) : Requests.post(front, "/", LONG)));
        }
    }

    private static boolean isWhole(RawClient client, String request) {
        try {
            return client.send(request).answer().body().equals("whole " + LONG.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Timeout(20)
    void a_long_body_in_the_smallest_of_chunks_costs_no_more_than_its_length() throws IOException {
        String chunk = "1\r\nx\r\n";
        String request = Requests.with(front, "POST / HTTP/1.1", "Transfer-Encoding: chunked");
        HttpLimits limits = new HttpLimits(1 << 20, Long.MAX_VALUE, 8192, 65536, 100, 100, 1000);
        try (HttpServer roomy =
                        HttpServer.open(Transport.TCP.settings().withLimits(limits), this::handle, Platform.system());
                RawClient client = RawClient.of(roomy)) {
            client.send(request.replace(Requests.host(front), Requests.host(roomy)));
            client.send(chunk.repeat(1 << 19) + "0\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("whole " + (1 << 19));
        }
    }

    @Test
    void whoever_leaves_in_the_middle_leaves_its_room_to_others() throws IOException {
        for (int i = 0; i < 5; i++) {
            try (RawClient client = RawClient.of(front)) {
                client.send(Requests.with(front, "POST / HTTP/1.1", "Content-Length: 900000") + LONG);
                client.endSending();
                assertThat(client.answer().status()).isEqualTo(400);
            }
        }
        try (RawClient client = RawClient.of(front)) {
            assertThat(client.send(Requests.post(front, "/", LONG)).answer().body())
                    .isEqualTo("whole " + LONG.length());
        }
    }
}
