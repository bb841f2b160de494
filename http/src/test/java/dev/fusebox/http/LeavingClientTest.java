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

/// Tests of clients that disconnect while their request is being handled.
@Timeout(60)
class LeavingClientTest {
    /// Half of the ten seconds after which the server would check a connection by itself, without a watcher.
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
        HttpServer server = HttpServer.open(transport.settings(), handler, Platform.system());
        opened = server;
        return server;
    }

    @AfterEach
    void closeServer() {
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

    /// Runs until the client disconnects or the test lets it finish.
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
        HttpServer server = open(transport, this::work);
        try (var client = RawClient.of(server)) {
            client.send(Requests.post(server, "/", "x"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            long left = System.nanoTime();
            leaving.leave(client);

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        finish.countDown();
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
        assertThat(written.get()).isFalse();
        assertThat(times.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void close_by_the_client_is_noticed_at_once(Transport transport) throws Exception {
        assertNoticedAtOnce(transport, RawClient::leave);
    }

    @Test
    void reset_by_the_client_is_noticed_at_once() throws Exception {
        assertNoticedAtOnce(Transport.TCP, RawClient::reset);
    }

    @ParameterizedTest
    @EnumSource
    void half_close_by_the_client_is_noticed_at_once(Transport transport) throws Exception {
        assertNoticedAtOnce(transport, RawClient::endSending);
    }

    @Test
    void disconnect_on_a_reused_connection_is_noticed_at_once() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            if (request.path().equals("/first")) {
                reply.onClientGone(times::incrementAndGet);
                reply.respond(200, HttpHeaders.none(), NOTHING);
            } else {
                work(request, reply);
            }
        });
        try (var client = RawClient.of(server)) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.send(Requests.get(server, "/first")).answer().status())
                        .isEqualTo(200);
            }
            client.send(Requests.get(server, "/second"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            long left = System.nanoTime();
            client.leave();

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        assertThat(times.get())
                .as("notified once, and not for answered requests")
                .isEqualTo(1);
    }

    @Test
    void disconnect_before_the_registration_is_reported() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            working.countDown();
            finish.await();
            reply.onClientGone(this::note);
            told.await();
            reply.respond(200, HttpHeaders.none(), NOTHING);
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
        }
        finish.countDown();

        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
        assertThat(times.get()).isEqualTo(1);
    }

    @Test
    void request_that_is_pipelined_meanwhile_is_kept_and_answered() throws Exception {
        HttpServer server = open(Transport.TCP, this::work);
        try (var client = RawClient.of(server)) {
            client.send(Requests.post(server, "/", "one"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            String ahead = "y".repeat(200_000);
            Thread sending = Thread.ofVirtual().start(() -> sendAhead(client, server, ahead));
            finish.countDown();

            assertThat(client.answer().body()).isEqualTo("one");
            assertThat(client.answer().body()).isEqualTo("two");
            assertThat(client.answer().body()).isEqualTo(ahead);
            sending.join();
        }
        assertThat(times.get()).isZero();
    }

    private static void sendAhead(RawClient client, HttpServer server, String last) {
        try {
            String two = Requests.post(server, "/", "two");
            client.send(two.substring(0, 20)).send(two.substring(20)).send(Requests.post(server, "/", last));
        } catch (IOException e) {
            throw new IllegalStateException("the server must continue to read", e);
        }
    }

    @Test
    void disconnect_during_an_open_stream_ends_the_connection() throws Exception {
        var open = new AtomicReference<@Nullable EventStream>();
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            open.set(reply.stream(200, HttpHeaders.none()));
            reply.onClientGone(this::note);
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(client.head()).contains("text/event-stream");
            long left = System.nanoTime();
            client.leave();

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(when.get() - left).isLessThan(AT_ONCE);
        }
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
        EventStream stream = Objects.requireNonNull(open.get());
        assertThat(stream.comment()).isFalse();
        stream.close();
    }

    @Test
    void no_connection_of_a_disconnected_client_stays_half_closed() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            var gone = new CountDownLatch(1);
            reply.onClientGone(gone::countDown);
            gone.await();
            reply.respond(200, HttpHeaders.none(), NOTHING);
        });
        for (int i = 0; i < 50; i++) {
            try (var client = RawClient.of(server)) {
                client.send(Requests.get(server, "/"));
                if (i % 2 == 0) {
                    client.reset();
                }
            }
        }
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
        eventually(
                "no connection is half closed",
                () -> assertThat(halfClosed(server)).isEqualTo(0));
    }

    /// Sockets of the server's port in CLOSE_WAIT, which is state 08, from `/proc`.
    private static long halfClosed(HttpServer server) {
        int port = ((InetSocketAddress) server.address()).getPort();
        String local = "0100007F:%04X".formatted(port).toUpperCase(Locale.ROOT);
        try (var lines = Files.lines(Path.of("/proc/net/tcp"))) {
            return lines.map(line -> line.strip().split("\\s+", -1))
                    .filter(line -> line[1].equals(local) && line[3].equals("08"))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException("this test requires Linux", e);
        }
    }

    @Test
    void exception_of_a_disconnect_action_affects_no_request() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
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
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/leave"));
            assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
            client.endSending();
            assertThat(client.answer().status()).isEqualTo(200);
        }
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
        }
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
    }

    @Test
    void second_disconnect_action_for_one_request_is_rejected_as_a_bug() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            reply.onClientGone(() -> {});
            reply.onClientGone(() -> {});
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(500);
        }
    }
}
