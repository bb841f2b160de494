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

/// Clients that neither send nor read as they should.
@Timeout(120)
class SlowClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /// For a client that is good: it needs a moment from its connect to its first byte.
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(100);
    private static final HttpHandler OK = (request, reply) -> reply.respond(200, HttpHeaders.none(), request.body());

    private @Nullable HttpServer opened;

    private HttpServer open(HttpSettings settings, HttpHandler handler) throws IOException {
        HttpServer front = HttpServer.open(settings, handler, Platform.system());
        opened = front;
        return front;
    }

    @AfterEach
    void closeFront() {
        if (opened != null) {
            opened.close();
        }
    }

    private static HttpTimes times(Duration head, Duration body, Duration idle, Duration write) {
        return new HttpTimes(head, body, idle, write, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "})
    void a_client_that_does_not_finish_its_head_is_cut(String beginning) throws IOException {
        HttpServer front = open(Transport.TCP.settings().withTimes(times(SHORT, LONG, LONG, LONG)), OK);
        long start = System.nanoTime();
        try (var client = RawClient.of(front)) {
            assertThat(client.send(beginning).rest()).isEmpty();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT.dividedBy(2));
    }

    @Test
    void a_client_that_sends_its_head_byte_by_byte_is_cut_all_the_same() throws Exception {
        HttpServer front = open(Transport.TCP.settings().withTimes(times(SHORT, LONG, LONG, LONG)), OK);
        try (var client = RawClient.of(front)) {
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
    void a_client_that_does_not_finish_its_body_is_cut(Transport transport) throws IOException {
        HttpServer front = open(transport.settings().withTimes(times(LONG, SHORT, LONG, LONG)), OK);
        try (var client = RawClient.of(front)) {
            client.send(Requests.with(front, "POST / HTTP/1.1", "Content-Length: 3") + "ab");
            assertThat(client.rest()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_connection_that_stays_idle_is_ended(Transport transport) throws IOException {
        HttpServer front = open(transport.settings().withTimes(times(LONG, LONG, SHORT, LONG)), OK);
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void a_handler_may_take_longer_than_its_client() throws Exception {
        HttpServer front =
                open(Transport.TCP.settings().withTimes(times(LONG, SECOND, SECOND, SECOND)), (request, reply) -> {
                    var gone = new CountDownLatch(1);
                    reply.onClientGone(gone::countDown);
                    boolean left = gone.await(2 * SECOND.toMillis(), TimeUnit.MILLISECONDS);
                    reply.respond(left ? 500 : 200, HttpHeaders.none(), new byte[0]);
                });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_client_that_does_not_read_a_large_answer_is_cut_and_the_answer_says_so(Transport transport)
            throws Exception {
        var written = new AtomicReference<@Nullable Boolean>();
        var done = new CountDownLatch(1);
        HttpServer front = open(transport.settings().withTimes(times(LONG, LONG, LONG, SHORT)), (request, reply) -> {
            written.set(reply.respond(200, HttpHeaders.none(), new byte[32 << 20]));
            done.countDown();
        });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(written.get()).isFalse();
            eventually(
                    "no connection is open",
                    () -> assertThat(front.connections()).isEqualTo(0));
        }
    }

    @Test
    void a_client_that_reads_no_events_is_cut_when_too_many_wait_and_senders_never_wait() throws Exception {
        var slowest = new AtomicLong();
        var sent = new AtomicLong();
        var done = new CountDownLatch(1);
        var limits = new HttpLimits(1000, 1000, 8192, 65536, 100, 10, 1 << 20);
        HttpServer front = open(Transport.TCP.settings().withLimits(limits), (request, reply) -> {
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
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(sent.get()).as("what waits, and what the system holds").isLessThan(64 << 20);
        // Whoever waited would wait for as long as a client may leave its line unread, and that is 30 s.
        assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(15));
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
    }

    @Test
    void a_client_that_reads_no_events_is_cut_after_a_while_even_if_few_wait() throws Exception {
        var told = new CountDownLatch(1);
        HttpServer front =
                open(Transport.TCP.settings().withTimes(times(LONG, LONG, LONG, SHORT)), (request, reply) -> {
                    reply.onClientGone(told::countDown);
                    reply.stream(200, HttpHeaders.none()).event(null, new byte[32 << 20]);
                });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        }
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
    }

    @Test
    void two_thousand_clients_that_drip_do_not_slow_the_others_and_are_cut() throws Exception {
        Duration head = Duration.ofSeconds(3);
        HttpServer front = open(Transport.TCP.settings().withTimes(times(head, LONG, LONG, LONG)), OK);
        List<RawClient> dripping = new ArrayList<>();
        try (var healthy = RawClient.of(front)) {
            // Before all others: a connection has to begin within three seconds, too.
            assertThat(healthy.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
            for (int i = 0; i < 2000; i++) {
                dripping.add(RawClient.of(front).send("GET / HTTP/1.1\r\nX: "));
            }
            long[] nanos = new long[2000];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                assertThat(healthy.send(Requests.get(front, "/")).answer().status())
                        .isEqualTo(200);
                nanos[i] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "beside 2,000 dripping clients: p50 %d µs, p99 %d µs%n", nanos[1000] / 1000, nanos[1980] / 1000);
            // Every second one: what other programs take from this machine delays some, what the front did would
            // delay all.
            assertThat(Duration.ofNanos(nanos[1000])).isLessThan(Duration.ofMillis(50));
            for (RawClient client : dripping) {
                assertThat(client.rest()).isEmpty();
            }
            eventually(
                    "one connection is open",
                    () -> assertThat(front.connections()).isEqualTo(1));
        } finally {
            for (RawClient client : dripping) {
                client.close();
            }
        }
    }
}
