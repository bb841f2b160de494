package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Good requests, on both kinds of socket, and how a front begins and ends.
@Timeout(60)
class HttpServerTest {
    private static final HttpHandler ECHO = (request, reply) ->
            reply.respond(200, HttpHeaders.of("Content-Type", "text/plain", "X-Path", request.path()), request.body());

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

    @ParameterizedTest
    @EnumSource
    void a_request_is_answered_and_so_is_the_next_on_the_same_connection(Transport transport) throws IOException {
        HttpServer front = open(transport.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            for (String body : new String[] {"one", "two", ""}) {
                var answer =
                        client.send(Requests.post(front, "/a%20b?q=1", body)).answer();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(body);
                assertThat(answer.headers())
                        .containsEntry("x-path", "/a b")
                        .containsEntry("content-type", "text/plain");
            }
            assertThat(front.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_request_may_come_byte_by_byte(Transport transport) throws IOException {
        HttpServer front = open(transport.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            String request = Requests.post(front, "/", "héllo");
            for (int i = 0; i < request.length(); i++) {
                client.send(request.substring(i, i + 1));
            }
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_body_may_come_in_chunks(Transport transport) throws IOException {
        HttpServer front = open(transport.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            String large = "x".repeat(70_000);
            client.send(Requests.with(front, "POST / HTTP/1.1", "Transfer-Encoding: chunked"));
            client.send("3\r\nabc\r\n" + "11170\r\n" + large + "\r\n0\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("abc" + large);

            assertThat(client.send(Requests.post(front, "/", "next")).answer().body())
                    .isEqualTo("next");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_body_of_four_mebibytes_comes_back_whole(Transport transport) throws IOException, InterruptedException {
        HttpServer front = open(transport.settings(), ECHO);
        String body = "0123456789abcdef".repeat(4 << 16);
        try (var client = RawClient.of(front)) {
            Thread sending = Thread.ofVirtual().start(() -> {
                try {
                    client.send(Requests.post(front, "/", body));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(client.answer().body()).isEqualTo(body);
            sending.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pipelined_requests_are_answered_in_their_order(Transport transport) throws IOException {
        HttpServer front = open(transport.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.post(front, "/", "1") + Requests.post(front, "/", "2") + Requests.get(front, "/3"));
            assertThat(client.answer().body()).isEqualTo("1");
            assertThat(client.answer().body()).isEqualTo("2");
            assertThat(client.answer().headers()).containsEntry("x-path", "/3");
        }
    }

    @Test
    void a_client_that_asks_to_close_is_answered_and_closed() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            String rest = client.send(Requests.with(front, "GET / HTTP/1.1", "Connection: x, Close"))
                    .rest();

            assertThat(rest).startsWith("HTTP/1.1 200 OK\r\n").contains("Connection: close\r\n");
        }
    }

    @Test
    void a_client_of_version_1_0_is_answered_and_closed() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            String rest = client.send(Requests.with(front, "GET / HTTP/1.0", "Connection: keep-alive"))
                    .rest();

            assertThat(rest).startsWith("HTTP/1.1 200 OK\r\n").contains("Connection: close\r\n");
        }
    }

    @Test
    void the_answer_to_head_has_a_length_and_no_body() throws IOException {
        HttpServer front = open(
                Transport.TCP.settings(),
                (request, reply) -> reply.respond(200, HttpHeaders.none(), new byte[] {'a', 'b'}));
        try (var client = RawClient.of(front)) {
            String rest = client.send(Requests.with(front, "HEAD / HTTP/1.1", "Connection: close"))
                    .rest();

            assertThat(rest).contains("Content-Length: 2\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void an_answer_without_content_has_no_length() throws IOException {
        HttpServer front =
                open(Transport.TCP.settings(), (request, reply) -> reply.respond(204, HttpHeaders.none(), new byte[0]));
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().headers()).doesNotContainKey("content-length");
        }
    }

    @Test
    void a_client_that_waits_for_it_is_told_to_send_its_body() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.with(front, "POST / HTTP/1.1", "Expect: 100-Continue", "Content-Length: 2"));
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\n");

            assertThat(client.send("hi").answer().body()).isEqualTo("hi");
        }
    }

    @Test
    void a_body_that_is_announced_too_large_is_refused_before_it_is_sent() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.with(front, "POST / HTTP/1.1", "Expect: 100-continue", "Content-Length: 4194305"));

            var answer = client.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                            + "\"message\":\"a body may have 4194304 bytes\"}}");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void a_body_that_grows_too_large_is_refused_while_it_is_sent() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.with(front, "POST / HTTP/1.1", "Transfer-Encoding: chunked"));
            client.send("400000\r\n" + "x".repeat(4 << 20) + "\r\n1\r\n");

            assertThat(client.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void an_announced_length_alone_costs_no_memory() throws IOException, InterruptedException {
        var limits = new HttpLimits(Integer.MAX_VALUE, Long.MAX_VALUE, 8192, 65536, 100, 100, 1000);
        HttpServer front = open(Transport.TCP.settings().withLimits(limits), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.with(front, "POST / HTTP/1.1", "Content-Length: 2147483647") + "x");
            client.endSending();

            assertThat(client.answer().status()).isEqualTo(400);
        }
    }

    @Test
    void what_is_as_large_as_it_may_be_is_answered() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        String path = "/" + "a".repeat((8 << 10) - "GET / HTTP/1.1\r\n".length());
        String host = "Host: " + Requests.host(front) + "\r\n";
        var lines = new StringBuilder(host);
        for (int i = 0; i < 98; i++) {
            lines.append("X: \r\n");
        }
        int left = (64 << 10) - lines.length() - "Y: \r\n\r\n".length();
        lines.append("Y: ").append("y".repeat(left)).append("\r\n\r\n");
        try (var client = RawClient.of(front)) {
            var answer = client.send("GET " + path + " HTTP/1.1\r\n" + lines).answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).containsEntry("x-path", path);
        }
    }

    @Test
    void a_handler_that_throws_is_answered_for_and_the_connection_lives_on() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {
            if (request.path().equals("/bug")) {
                throw new IllegalStateException("a bug on purpose");
            }
            ECHO.handle(request, reply);
        });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/bug")).answer().status())
                    .isEqualTo(500);
            assertThat(client.send(Requests.post(front, "/", "x")).answer().body())
                    .isEqualTo("x");
        }
    }

    @Test
    void a_handler_that_throws_in_the_middle_of_a_stream_ends_the_connection() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {
            reply.stream(200, HttpHeaders.none());
            throw new StackOverflowError("a bug on purpose");
        });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).rest()).doesNotContain("0\r\n\r\n");
        }
    }

    @Test
    void a_handler_that_says_nothing_is_answered_for() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {});
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(500);
        }
    }

    @Test
    void a_handler_that_leaves_an_interrupt_behind_harms_neither_its_answer_nor_the_next() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {
            Thread.currentThread().interrupt();
            ECHO.handle(request, reply);
        });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.post(front, "/", "1")).answer().body())
                    .isEqualTo("1");
            assertThat(client.send(Requests.post(front, "/", "2")).answer().body())
                    .isEqualTo("2");
        }
    }

    @Test
    void a_second_answer_to_one_request_is_a_bug() throws IOException, InterruptedException {
        var thrown = new AtomicReference<@Nullable Throwable>();
        var done = new CountDownLatch(1);
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {
            ECHO.handle(request, reply);
            try {
                reply.stream(200, HttpHeaders.none());
            } catch (IllegalStateException e) {
                thrown.set(e);
            }
            done.countDown();
        });
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.post(front, "/", "1")).answer().body())
                    .isEqualTo("1");
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(thrown.get()).hasMessageContaining("second answer");
        }
    }

    @Test
    void a_client_that_only_ended_its_sending_side_gets_its_answer() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(front)) {
            client.send(Requests.post(front, "/", "last words"));
            client.endSending();

            assertThat(client.answer().body()).isEqualTo("last words");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void a_connection_beyond_the_most_is_answered_503_and_the_place_is_free_again_later() throws Exception {
        var limits = new HttpLimits(1000, 1000, 8192, 65536, 100, 2, 1000);
        HttpServer front = open(Transport.TCP.settings().withLimits(limits), ECHO);
        try (var one = RawClient.of(front);
                var two = RawClient.of(front);
                var three = RawClient.of(front)) {
            assertThat(three.answer().status()).isEqualTo(503);
            assertThat(three.rest()).isEmpty();
            assertThat(one.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);

            two.leave();
            eventually(
                    "one connection is open",
                    () -> assertThat(front.connections()).isEqualTo(1));
            try (var four = RawClient.of(front)) {
                assertThat(four.send(Requests.get(front, "/")).answer().status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void a_taken_port_is_told_with_the_address_and_what_to_do() throws IOException {
        HttpServer front = open(Transport.TCP.settings(), ECHO);

        assertThatThrownBy(() -> HttpServer.open(HttpSettings.loopback(front.port()), ECHO, Platform.system()))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("cannot listen on", "127.0.0.1:" + front.port(), "choose another");
    }

    @Test
    void a_socket_file_that_was_left_behind_is_replaced_and_one_in_use_is_not() throws IOException {
        HttpSettings settings = Transport.UNIX.settings();
        try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(settings.address());
        }
        Path file = ((UnixDomainSocketAddress) settings.address()).getPath();
        assertThat(file).exists();

        HttpServer front = open(settings, ECHO);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        assertThatThrownBy(() -> HttpServer.open(settings, ECHO, Platform.system()))
                .isInstanceOf(IOException.class);
        try (var client = RawClient.of(front)) {
            assertThat(client.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
        }

        front.close();
        assertThat(file).doesNotExist();
        try (HttpServer next = HttpServer.open(settings, ECHO, Platform.system())) {
            front.close();
            assertThat(file).as("the next one's").exists();
            assertThat(next.port()).isEqualTo(-1);
        }
    }

    @Test
    void a_front_whose_socket_file_was_removed_is_found_again_and_keeps_its_connections() throws IOException {
        HttpSettings settings = Transport.UNIX.settings();
        Path file = ((UnixDomainSocketAddress) settings.address()).getPath();
        HttpServer front = open(settings, ECHO);
        try (var before = RawClient.of(front)) {
            assertThat(before.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
            Files.delete(file);
            front.listenAgain();
            try (var after = RawClient.of(front)) {
                assertThat(after.send(Requests.get(front, "/")).answer().status())
                        .isEqualTo(200);
            }
            assertThat(before.send(Requests.get(front, "/")).answer().status()).isEqualTo(200);
        }
        front.close();
        assertThat(file).doesNotExist();
        front.listenAgain();
        assertThat(file).as("closed is closed").doesNotExist();
    }

    @Test
    void a_file_that_is_no_socket_is_left_alone() throws IOException {
        HttpSettings settings = Transport.UNIX.settings();
        Path file = Files.writeString(((UnixDomainSocketAddress) settings.address()).getPath(), "precious");

        assertThatThrownBy(() -> HttpServer.open(settings, ECHO, Platform.system()))
                .isInstanceOf(IOException.class);
        assertThat(Files.readString(file)).isEqualTo("precious");
    }

    @ParameterizedTest
    @EnumSource
    void closing_ends_idle_connections_and_waits_for_running_requests(Transport transport) throws Exception {
        var running = new CountDownLatch(1);
        var finish = new CountDownLatch(1);
        HttpServer front = open(transport.settings(), (request, reply) -> {
            running.countDown();
            finish.await();
            ECHO.handle(request, reply);
        });
        try (var idle = RawClient.of(front);
                var busy = RawClient.of(front)) {
            busy.send(Requests.post(front, "/", "done"));
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
            Thread closing = Thread.ofVirtual().start(front::close);

            assertThat(idle.rest()).isEmpty();
            assertThat(closing.isAlive()).isTrue();
            finish.countDown();
            var answer = busy.answer();
            assertThat(answer.body()).isEqualTo("done");
            assertThat(answer.headers()).containsEntry("connection", "close");
            closing.join();
            assertThat(front.connections()).isZero();
        }
    }

    @Test
    void closing_cuts_what_does_not_end_in_time_and_says_so_to_its_handler() throws Exception {
        var running = new CountDownLatch(1);
        var told = new CountDownLatch(1);
        var times = new HttpTimes(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMillis(50));
        HttpServer front = open(Transport.TCP.settings().withTimes(times), (request, reply) -> {
            reply.onClientGone(told::countDown);
            running.countDown();
            told.await();
        });
        try (var client = RawClient.of(front)) {
            client.send(Requests.get(front, "/"));
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
            front.close();

            assertThat(client.rest()).isEmpty();
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(front.connections()).isZero();
        }
        assertThatThrownBy(() -> RawClient.of(front)).isInstanceOf(IOException.class);
    }

    @Test
    void ten_thousand_pipelined_requests_and_then_an_end_are_all_answered_one_at_a_time() throws Exception {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        HttpServer front = open(Transport.TCP.settings(), (request, reply) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            // Half of them want to know when the client leaves, so that a watcher reads ahead.
            if (request.path().endsWith("0")) {
                reply.onClientGone(() -> {});
            }
            atOnce.decrementAndGet();
            reply.respond(200, HttpHeaders.none(), request.path().getBytes(StandardCharsets.UTF_8));
        });
        try (var client = RawClient.of(front)) {
            var sending = Thread.ofVirtual().start(() -> sendMany(client, front));
            for (int i = 0; i < 10_000; i++) {
                assertThat(client.answer().body()).isEqualTo("/" + i);
            }
            assertThat(client.rest()).isEmpty();
            sending.join();
        }
        assertThat(most.get()).isEqualTo(1);
        eventually(
                "no connection is open", () -> assertThat(front.connections()).isEqualTo(0));
    }

    private static void sendMany(RawClient client, HttpServer front) {
        try {
            var all = new StringBuilder();
            for (int i = 0; i < 10_000; i++) {
                all.append(Requests.get(front, "/" + i));
            }
            client.send(all.toString()).endSending();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
