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

/// Tests of how many long requests are kept completely at the same time.
///
/// Takes over five seconds: half a megabyte arrives in chunks of a byte.
@Timeout(60)
class RequestMemoryTest {
    private static final int FREE = 8 << 10;

    /// Enough for one body of 50,000 bytes besides its free beginning, but not for two.
    private static final long ROOM = 80_000;

    private static final String SHORT = "s".repeat(FREE);
    private static final String LONG = "first" + "l".repeat(50_000) + "last";

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private HttpServer server;

    /// Answers with how much of the body was kept; `/hold` waits for the test.
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
        server = HttpServer.open(Transport.TCP.settings().withLimits(limits), this::handle, Platform.system());
    }

    @AfterEach
    void close() {
        go.countDown();
        server.close();
    }

    private String chunked(String path, String body) {
        StringBuilder text =
                new StringBuilder(Requests.with(server, "POST " + path + " HTTP/1.1", "Transfer-Encoding: chunked"));
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
    void ends_of_a_body_over_the_memory_limit_are_kept_and_the_connection_lives_on(boolean inChunks)
            throws IOException, InterruptedException {
        try (RawClient first = RawClient.of(server);
                RawClient second = RawClient.of(server)) {
            first.send(Requests.post(server, "/hold", LONG));
            assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 2; i++) {
                second.send(inChunks ? chunked("/", LONG) : Requests.post(server, "/", LONG));
                assertThat(second.answer().body()).isEqualTo("cut 4096 true true");
                assertThat(second.send(Requests.post(server, "/", SHORT))
                                .answer()
                                .body())
                        .isEqualTo("whole " + SHORT.length());
            }
            go.countDown();
            assertThat(first.answer().body()).isEqualTo("whole " + LONG.length());
            // The memory is released when the handler has returned, shortly after its response.
            eventually(
                    "the second request is answered in full",
                    () -> isWhole(second, inChunks ? chunked("/", LONG) : Requests.post(server, "/", LONG)));
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
    void long_body_in_minimal_chunks_costs_no_more_than_its_length() throws IOException {
        String chunk = "1\r\nx\r\n";
        String request = Requests.with(server, "POST / HTTP/1.1", "Transfer-Encoding: chunked");
        HttpLimits limits = new HttpLimits(1 << 20, Long.MAX_VALUE, 8192, 65536, 100, 100, 1000);
        try (HttpServer roomy =
                        HttpServer.open(Transport.TCP.settings().withLimits(limits), this::handle, Platform.system());
                RawClient client = RawClient.of(roomy)) {
            client.send(request.replace(Requests.host(server), Requests.host(roomy)));
            client.send(chunk.repeat(1 << 19) + "0\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("whole " + (1 << 19));
        }
    }

    @Test
    void disconnect_during_a_body_releases_its_memory() throws IOException {
        for (int i = 0; i < 5; i++) {
            try (RawClient client = RawClient.of(server)) {
                client.send(Requests.with(server, "POST / HTTP/1.1", "Content-Length: 900000") + LONG);
                client.endSending();
                assertThat(client.answer().status()).isEqualTo(400);
            }
        }
        try (RawClient client = RawClient.of(server)) {
            assertThat(client.send(Requests.post(server, "/", LONG)).answer().body())
                    .isEqualTo("whole " + LONG.length());
        }
    }
}
