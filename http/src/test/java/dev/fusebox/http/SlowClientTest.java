package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of clients that send or read too slowly.
@Timeout(120)
class SlowClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /// For a healthy client: it needs a moment from its connect to its first byte.
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(100);
    private static final HttpHandler OK = (request, reply) -> reply.respond(200, HttpHeaders.none(), request.body());

    private @Nullable HttpServer opened;

    private HttpServer open(HttpSettings settings, HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.open(settings, handler, Platform.system());
        opened = server;
        return server;
    }

    @AfterEach
    void closeServer() {
        if (opened != null) {
            opened.close();
        }
    }

    private static HttpTimes times(Duration head, Duration body, Duration idle, Duration write) {
        return new HttpTimes(head, body, idle, write, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "})
    void client_that_does_not_finish_its_head_is_cut(String beginning) throws IOException {
        HttpServer server = open(Transport.TCP.settings().withTimes(times(SHORT, LONG, LONG, LONG)), OK);
        long start = System.nanoTime();
        try (var client = RawClient.of(server)) {
            assertThat(client.send(beginning).rest()).isEmpty();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT.dividedBy(2));
    }

    @Test
    void client_that_drips_its_head_is_cut() throws Exception {
        HttpServer server = open(Transport.TCP.settings().withTimes(times(SHORT, LONG, LONG, LONG)), OK);
        try (var client = RawClient.of(server)) {
            client.send("GET / HTTP/1.1\r\nX: ");
            eventually("the connection is cut", () -> {
                try {
                    client.send("x");
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void client_that_does_not_finish_its_body_is_cut(Transport transport) throws IOException {
        HttpServer server = open(transport.settings().withTimes(times(LONG, SHORT, LONG, LONG)), OK);
        try (var client = RawClient.of(server)) {
            client.send(Requests.with(server, "POST / HTTP/1.1", "Content-Length: 3") + "ab");
            assertThat(client.rest()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void idle_connection_is_closed(Transport transport) throws IOException {
        HttpServer server = open(transport.settings().withTimes(times(LONG, LONG, SHORT, LONG)), OK);
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void handler_may_take_longer_than_the_limits_of_its_client() throws Exception {
        HttpServer server =
                open(Transport.TCP.settings().withTimes(times(LONG, SECOND, SECOND, SECOND)), (request, reply) -> {
                    var gone = new CountDownLatch(1);
                    reply.onClientGone(gone::countDown);
                    boolean left = gone.await(2 * SECOND.toMillis(), TimeUnit.MILLISECONDS);
                    reply.respond(left ? 500 : 200, HttpHeaders.none(), new byte[0]);
                });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void client_that_does_not_read_a_large_response_is_cut_and_reported(Transport transport) throws Exception {
        var written = new AtomicReference<@Nullable Boolean>();
        var done = new CountDownLatch(1);
        HttpServer server = open(transport.settings().withTimes(times(LONG, LONG, LONG, SHORT)), (request, reply) -> {
            written.set(reply.respond(200, HttpHeaders.none(), new byte[32 << 20]));
            done.countDown();
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(written.get()).isFalse();
            eventually(
                    "no connection is open",
                    () -> assertThat(server.connections()).isEqualTo(0));
        }
    }

    @Test
    void client_that_reads_no_events_is_cut_at_the_queue_limit_without_blocking_senders() throws Exception {
        var slowest = new AtomicLong();
        var sent = new AtomicLong();
        var done = new CountDownLatch(1);
        var limits = new HttpLimits(1000, 1000, 8192, 65536, 100, 10, 1 << 20);
        HttpServer server = open(Transport.TCP.settings().withLimits(limits), (request, reply) -> {
            EventStream stream = reply.stream(200, HttpHeaders.none());
            var event = new byte[10_000];
            boolean there = true;
            while (there) {
                long start = System.nanoTime();
                there = stream.event(null, event);
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                sent.addAndGet(event.length);
            }
            done.countDown();
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(sent.get())
                .as("bytes in the queue and in the socket buffers")
                .isLessThan(64 << 20);
        // A blocked sender would wait for as long as a client may leave data unread, which is 30 s.
        assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(15));
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
    }

    @Test
    void client_that_reads_no_events_is_cut_at_the_write_limit() throws Exception {
        var told = new CountDownLatch(1);
        HttpServer server =
                open(Transport.TCP.settings().withTimes(times(LONG, LONG, LONG, SHORT)), (request, reply) -> {
                    reply.onClientGone(told::countDown);
                    reply.stream(200, HttpHeaders.none()).event(null, new byte[32 << 20]);
                });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        }
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
    }

    @Test
    void two_thousand_dripping_clients_do_not_slow_others_and_are_cut() throws Exception {
        Duration head = Duration.ofSeconds(3);
        HttpServer server = open(Transport.TCP.settings().withTimes(times(head, LONG, LONG, LONG)), OK);
        List<RawClient> dripping = new ArrayList<>();
        try (var healthy = RawClient.of(server)) {
            // Before all others: a connection must also send within three seconds.
            assertThat(healthy.send(Requests.get(server, "/")).answer().status())
                    .isEqualTo(200);
            for (int i = 0; i < 2000; i++) {
                dripping.add(RawClient.of(server).send("GET / HTTP/1.1\r\nX: "));
            }
            long[] nanos = new long[2000];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                assertThat(healthy.send(Requests.get(server, "/")).answer().status())
                        .isEqualTo(200);
                nanos[i] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "beside 2,000 dripping clients: p50 %d µs, p99 %d µs%n", nanos[1000] / 1000, nanos[1980] / 1000);
            // The median: other programs on this machine may delay some requests; the server would delay all of
            // them.
            assertThat(Duration.ofNanos(nanos[1000])).isLessThan(Duration.ofMillis(50));
            for (RawClient client : dripping) {
                assertThat(client.rest()).isEmpty();
            }
            eventually(
                    "one connection is open",
                    () -> assertThat(server.connections()).isEqualTo(1));
        } finally {
            for (RawClient client : dripping) {
                client.close();
            }
        }
    }
}
