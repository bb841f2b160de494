package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that leave while their request is being worked on.
@Timeout(60)
class LeavingClientTest {
    /// Half of the ten seconds after which the front would look at a connection by itself, if nobody watched.
    private static final long AT_ONCE = Duration.ofSeconds(5).toNanos();
    private static final byte[] NOTHING = {};

    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);
    private final AtomicInteger times = new AtomicInteger();
    private final AtomicLong when = new AtomicLong();
    private final AtomicReference<@Nullable Boolean> written = new AtomicReference<>();
    private @Nullable HttpServer opened;

    private HttpServer open(Transport transport, HttpHandler handler) throws IOException {
        HttpServer front = HttpServer.open(transport.settings(), handler, Platform.system());
        opened = front;
        return front;
    }

    @AfterEach
    void closeFront() {
        finish.countDown();
        if (opened != null) {
            opened.close();
        }
    }

    private void note() {
        when.set(System.nanoTime());
        times.incrementAndGet();
        told.countDown();
    }

    /// Works until the client leaves or the test lets it finish.
    private void work(HttpRequest request, HttpReply reply) throws InterruptedException {
        reply.onClientGone(this::note);
        working.countDown();
        finish.await();
        written.set(reply.respond(200, HttpHeaders.none(), request.body()));
    }

    @FunctionalInterface
    private interface Leaving {
        void leave(RawClient client) throws IOException;
    }

    private void assertNoticedAtOnce(Transport transport, Leaving leaving) throws Exception {
        HttpServer front = open(transport, this::work);
        try (var client = RawClient.of(front)) {
            client.send(Requests.post(front, "/", "x"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            long left = System.nanoTime();
            leaving.leave(client);

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        finish.countDown();
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
        assertThat(written.get()).isFalse();
        assertThat(times.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void a_client_that_closes_is_noticed_at_once(Transport transport) throws Exception {
        assertNoticedAtOnce(transport, RawClient::leave);
    }

    @Test
    void a_client_that_resets_is_noticed_at_once() throws Exception {
        assertNoticedAtOnce(Transport.TCP, RawClient::reset);
    }

    @ParameterizedTest
    @EnumSource
    void a_client_that_ends_its_sending_side_is_noticed_at_once(Transport transport) throws Exception {
        assertNoticedAtOnce(transport, RawClient::endSending);
    }

    @Test
    void a_client_that_leaves_on_a_kept_connection_is_noticed_at_once() throws Exception {
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            if (request.path().equals("/first")) {
                reply.onClientGone(times::incrementAndGet);
                reply.respond(200, HttpHeaders.none(), NOTHING);
            } else {
                work(request, reply);
            }
        });
        try (var client = RawClient.of(front)) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.send(Requests.get(front, "/first")).answer().status())
                        .isEqualTo(200);
            }
            client.send(Requests.get(front, "/second"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            long left = System.nanoTime();
            client.leave();

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        assertThat(times.get()).as("told once, and not for the answered ones").isEqualTo(1);
    }

    @Test
    void a_client_that_left_before_anybody_asked_is_told_all_the_same() throws Exception {
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            working.countDown();
            finish.await();
            reply.onClientGone(this::note);
            told.await();
            reply.respond(200, HttpHeaders.none(), NOTHING);
        });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
        }
        finish.countDown();

        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
        assertThat(times.get()).isEqualTo(1);
    }

    @Test
    void what_is_sent_ahead_meanwhile_is_kept_and_answered() throws Exception {
        HttpServer front = open(Transport.TCP, this::work);
        try (var client = RawClient.of(front)) {
            client.send(Requests.post(front, "/", "one"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            String ahead = "y".repeat(200_000);
            Thread sending = Thread.ofVirtual().start(() -> sendAhead(client, front, ahead));
            finish.countDown();

            assertThat(client.answer().body()).isEqualTo("one");
            assertThat(client.answer().body()).isEqualTo("two");
            assertThat(client.answer().body()).isEqualTo(ahead);
            sending.join();
        }
        assertThat(times.get()).isZero();
    }

    private static void sendAhead(RawClient client, HttpServer front, String last) {
        try {
            String two = Requests.post(front, "/", "two");
            client.send(two.substring(0, 20)).send(two.substring(20)).send(Requests.post(front, "/", last));
        } catch (IOException e) {
            throw new IllegalStateException("the front must read on", e);
        }
    }

    @Test
    void the_client_of_an_open_stream_is_noticed_and_its_connection_ends() throws Exception {
        var open = new AtomicReference<@Nullable EventStream>();
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            open.set(reply.stream(200, HttpHeaders.none()));
            reply.onClientGone(this::note);
        });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(client.head()).contains("text/event-stream");
            long left = System.nanoTime();
            client.leave();

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
        EventStream stream = Objects.requireNonNull(open.get());
        assertThat(stream.comment()).isFalse();
        stream.close();
    }

    @Test
    void no_connection_of_a_client_that_left_stays_half_closed() throws Exception {
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            var gone = new CountDownLatch(1);
            reply.onClientGone(gone::countDown);
            gone.await();
            reply.respond(200, HttpHeaders.none(), NOTHING);
        });
        for (int i = 0; i < 50; i++) {
            try (var client = RawClient.of(front)) {
                client.send(Requests.get(front, "/"));
                if (i % 2 == 0) {
                    client.reset();
                }
            }
        }
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
        eventually(
                "no connection is half closed",
                () -> assertThat(halfClosed(front)).isEqualTo(0));
    }

    /// Sockets of the front's port in CLOSE_WAIT, which is state 08, from the system's own table.
    private static long halfClosed(HttpServer front) {
        int port = ((InetSocketAddress) front.address()).getPort();
        String local = "0100007F:%04X".formatted(port).toUpperCase(Locale.ROOT);
        try (var lines = Files.lines(Path.of("/proc/net/tcp"))) {
            return lines.map(line -> line.strip().split("\\s+", -1))
                    .filter(line -> line[1].equals(local) && line[3].equals("08"))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException("this test wants Linux", e);
        }
    }

    @Test
    void an_action_that_throws_harms_neither_its_request_nor_others() throws Exception {
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            if (request.path().equals("/leave")) {
                reply.onClientGone(() -> {
                    note();
                    throw new IllegalStateException("a bug on purpose");
                });
                working.countDown();
                told.await();
            }
            reply.respond(200, HttpHeaders.none(), NOTHING);
        });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/leave"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            client.endSending();
            assertThat(client.answer().status()).isEqualTo(200);
        }
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
        }
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
    }

    @Test
    void a_second_action_for_one_request_is_a_bug() throws Exception {
        HttpServer front = open(Transport.TCP, (request, reply) -> {
            reply.onClientGone(() -> {});
            reply.onClientGone(() -> {});
        });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(500);
        }
    }
}
