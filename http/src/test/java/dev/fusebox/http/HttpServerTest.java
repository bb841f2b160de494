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

/// Tests of valid requests on both kinds of socket, and of opening and closing a server.
@Timeout(60)
class HttpServerTest {
    private static final HttpHandler ECHO = (request, reply) ->
            reply.respond(200, HttpHeaders.of("Content-Type", "text/plain", "X-Path", request.path()), request.body());

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

    @ParameterizedTest
    @EnumSource
    void successive_requests_on_one_connection_are_answered(Transport transport) throws IOException {
        HttpServer server = open(transport.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            for (String body : new String[] {"one", "two", ""}) {
                var answer =
                        client.send(Requests.post(server, "/a%20b?q=1", body)).answer();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(body);
                assertThat(answer.headers())
                        .containsEntry("x-path", "/a b")
                        .containsEntry("content-type", "text/plain");
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void request_may_arrive_byte_by_byte(Transport transport) throws IOException {
        HttpServer server = open(transport.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            String request = Requests.post(server, "/", "héllo");
            for (int i = 0; i < request.length(); i++) {
                client.send(request.substring(i, i + 1));
            }
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void body_may_arrive_in_chunks(Transport transport) throws IOException {
        HttpServer server = open(transport.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            String large = "x".repeat(70_000);
            client.send(Requests.with(server, "POST / HTTP/1.1", "Transfer-Encoding: chunked"));
            client.send("3\r\nabc\r\n" + "11170\r\n" + large + "\r\n0\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("abc" + large);

            assertThat(client.send(Requests.post(server, "/", "next")).answer().body())
                    .isEqualTo("next");
        }
    }

    @ParameterizedTest
    @EnumSource
    void body_of_four_mebibytes_is_echoed_completely(Transport transport) throws IOException, InterruptedException {
        HttpServer server = open(transport.settings(), ECHO);
        String body = "0123456789abcdef".repeat(4 << 16);
        try (var client = RawClient.of(server)) {
            Thread sending = Thread.ofVirtual().start(() -> {
                try {
                    client.send(Requests.post(server, "/", body));
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
    void pipelined_requests_are_answered_in_order(Transport transport) throws IOException {
        HttpServer server = open(transport.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.post(server, "/", "1") + Requests.post(server, "/", "2") + Requests.get(server, "/3"));
            assertThat(client.answer().body()).isEqualTo("1");
            assertThat(client.answer().body()).isEqualTo("2");
            assertThat(client.answer().headers()).containsEntry("x-path", "/3");
        }
    }

    @Test
    void connection_close_is_honoured_after_the_response() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            String rest = client.send(Requests.with(server, "GET / HTTP/1.1", "Connection: x, Close"))
                    .rest();

            assertThat(rest).startsWith("HTTP/1.1 200 OK\r\n").contains("Connection: close\r\n");
        }
    }

    @Test
    void http_1_0_connection_is_closed_after_the_response() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            String rest = client.send(Requests.with(server, "GET / HTTP/1.0", "Connection: keep-alive"))
                    .rest();

            assertThat(rest).startsWith("HTTP/1.1 200 OK\r\n").contains("Connection: close\r\n");
        }
    }

    @Test
    void response_to_head_has_a_length_and_no_body() throws IOException {
        HttpServer server = open(
                Transport.TCP.settings(),
                (request, reply) -> reply.respond(200, HttpHeaders.none(), new byte[] {'a', 'b'}));
        try (var client = RawClient.of(server)) {
            String rest = client.send(Requests.with(server, "HEAD / HTTP/1.1", "Connection: close"))
                    .rest();

            assertThat(rest).contains("Content-Length: 2\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void response_without_content_has_no_length() throws IOException {
        HttpServer server =
                open(Transport.TCP.settings(), (request, reply) -> reply.respond(204, HttpHeaders.none(), new byte[0]));
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().headers())
                    .doesNotContainKey("content-length");
        }
    }

    @Test
    void client_that_expects_100_continue_is_asked_for_its_body() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.with(server, "POST / HTTP/1.1", "Expect: 100-Continue", "Content-Length: 2"));
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\n");

            assertThat(client.send("hi").answer().body()).isEqualTo("hi");
        }
    }

    @Test
    void announced_body_over_the_limit_is_rejected_before_it_is_sent() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.with(server, "POST / HTTP/1.1", "Expect: 100-continue", "Content-Length: 4194305"));

            var answer = client.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                            + "\"message\":\"the body is larger than 4194304 bytes\"}}");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void chunked_body_over_the_limit_is_rejected_while_it_is_sent() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.with(server, "POST / HTTP/1.1", "Transfer-Encoding: chunked"));
            client.send("400000\r\n" + "x".repeat(4 << 20) + "\r\n1\r\n");

            assertThat(client.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void announced_length_alone_costs_no_memory() throws IOException, InterruptedException {
        var limits = new HttpLimits(Integer.MAX_VALUE, Long.MAX_VALUE, 8192, 65536, 100, 100, 1000);
        HttpServer server = open(Transport.TCP.settings().withLimits(limits), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.with(server, "POST / HTTP/1.1", "Content-Length: 2147483647") + "x");
            client.endSending();

            assertThat(client.answer().status()).isEqualTo(400);
        }
    }

    @Test
    void request_at_the_limits_is_answered() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        String path = "/" + "a".repeat((8 << 10) - "GET / HTTP/1.1\r\n".length());
        String host = "Host: " + Requests.host(server) + "\r\n";
        var lines = new StringBuilder(host);
        for (int i = 0; i < 98; i++) {
            lines.append("X: \r\n");
        }
        int left = (64 << 10) - lines.length() - "Y: \r\n\r\n".length();
        lines.append("Y: ").append("y".repeat(left)).append("\r\n\r\n");
        try (var client = RawClient.of(server)) {
            var answer = client.send("GET " + path + " HTTP/1.1\r\n" + lines).answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).containsEntry("x-path", path);
        }
    }

    @Test
    void exception_of_a_handler_is_answered_with_500_and_keeps_the_connection() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {
            if (request.path().equals("/bug")) {
                throw new IllegalStateException("a bug on purpose");
            }
            ECHO.handle(request, reply);
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/bug")).answer().status())
                    .isEqualTo(500);
            assertThat(client.send(Requests.post(server, "/", "x")).answer().body())
                    .isEqualTo("x");
        }
    }

    @Test
    void exception_of_a_handler_during_a_stream_ends_the_connection() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {
            reply.stream(200, HttpHeaders.none());
            throw new StackOverflowError("a bug on purpose");
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).rest()).doesNotContain("0\r\n\r\n");
        }
    }

    @Test
    void handler_without_a_response_is_answered_with_500() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {});
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(500);
        }
    }

    @Test
    void interrupt_left_by_a_handler_affects_no_response() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {
            Thread.currentThread().interrupt();
            ECHO.handle(request, reply);
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.post(server, "/", "1")).answer().body())
                    .isEqualTo("1");
            assertThat(client.send(Requests.post(server, "/", "2")).answer().body())
                    .isEqualTo("2");
        }
    }

    @Test
    void second_response_to_one_request_is_rejected_as_a_bug() throws IOException, InterruptedException {
        var thrown = new AtomicReference<@Nullable Throwable>();
        var done = new CountDownLatch(1);
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {
            ECHO.handle(request, reply);
            try {
                reply.stream(200, HttpHeaders.none());
            } catch (IllegalStateException e) {
                thrown.set(e);
            }
            done.countDown();
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.post(server, "/", "1")).answer().body())
                    .isEqualTo("1");
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(thrown.get()).hasMessageContaining("second response");
        }
    }

    @Test
    void half_closed_client_gets_its_response() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);
        try (var client = RawClient.of(server)) {
            client.send(Requests.post(server, "/", "last words"));
            client.endSending();

            assertThat(client.answer().body()).isEqualTo("last words");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void connection_over_the_limit_gets_503_until_another_one_ends() throws Exception {
        var limits = new HttpLimits(1000, 1000, 8192, 65536, 100, 2, 1000);
        HttpServer server = open(Transport.TCP.settings().withLimits(limits), ECHO);
        try (var one = RawClient.of(server);
                var two = RawClient.of(server);
                var three = RawClient.of(server)) {
            assertThat(three.answer().status()).isEqualTo(503);
            assertThat(three.rest()).isEmpty();
            assertThat(one.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);

            two.leave();
            eventually(
                    "one connection is open",
                    () -> assertThat(server.connections()).isEqualTo(1));
            try (var four = RawClient.of(server)) {
                assertThat(four.send(Requests.get(server, "/")).answer().status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void port_in_use_is_reported_with_address_and_remedy() throws IOException {
        HttpServer server = open(Transport.TCP.settings(), ECHO);

        assertThatThrownBy(() -> HttpServer.open(HttpSettings.loopback(server.port()), ECHO, Platform.system()))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("cannot listen on", "127.0.0.1:" + server.port(), "choose another");
    }

    @Test
    void stale_socket_file_is_replaced_and_one_in_use_is_not() throws IOException {
        HttpSettings settings = Transport.UNIX.settings();
        try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(settings.address());
        }
        Path file = ((UnixDomainSocketAddress) settings.address()).getPath();
        assertThat(file).exists();

        HttpServer server = open(settings, ECHO);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        assertThatThrownBy(() -> HttpServer.open(settings, ECHO, Platform.system()))
                .isInstanceOf(IOException.class);
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
        }

        server.close();
        assertThat(file).doesNotExist();
        try (HttpServer next = HttpServer.open(settings, ECHO, Platform.system())) {
            server.close();
            assertThat(file).as("the next one's").exists();
            assertThat(next.port()).isEqualTo(-1);
        }
    }

    @Test
    void removed_socket_file_is_restored_and_connections_are_kept() throws IOException {
        HttpSettings settings = Transport.UNIX.settings();
        Path file = ((UnixDomainSocketAddress) settings.address()).getPath();
        HttpServer server = open(settings, ECHO);
        try (var before = RawClient.of(server)) {
            assertThat(before.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
            Files.delete(file);
            server.listenAgain();
            try (var after = RawClient.of(server)) {
                assertThat(after.send(Requests.get(server, "/")).answer().status())
                        .isEqualTo(200);
            }
            assertThat(before.send(Requests.get(server, "/")).answer().status()).isEqualTo(200);
        }
        server.close();
        assertThat(file).doesNotExist();
        server.listenAgain();
        assertThat(file).as("closed is closed").doesNotExist();
    }

    @Test
    void file_that_is_not_a_socket_is_not_removed() throws IOException {
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
        HttpServer server = open(transport.settings(), (request, reply) -> {
            running.countDown();
            finish.await();
            ECHO.handle(request, reply);
        });
        try (var idle = RawClient.of(server);
                var busy = RawClient.of(server)) {
            busy.send(Requests.post(server, "/", "done"));
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
            Thread closing = Thread.ofVirtual().start(server::close);

            assertThat(idle.rest()).isEmpty();
            assertThat(closing.isAlive()).isTrue();
            finish.countDown();
            var answer = busy.answer();
            assertThat(answer.body()).isEqualTo("done");
            assertThat(answer.headers()).containsEntry("connection", "close");
            closing.join();
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void closing_cuts_late_requests_and_notifies_their_handlers() throws Exception {
        var running = new CountDownLatch(1);
        var told = new CountDownLatch(1);
        var times = new HttpTimes(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMillis(50));
        HttpServer server = open(Transport.TCP.settings().withTimes(times), (request, reply) -> {
            reply.onClientGone(told::countDown);
            running.countDown();
            told.await();
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
            server.close();

            assertThat(client.rest()).isEmpty();
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.connections()).isZero();
        }
        assertThatThrownBy(() -> RawClient.of(server)).isInstanceOf(IOException.class);
    }

    @Test
    void ten_thousand_pipelined_requests_are_answered_one_at_a_time() throws Exception {
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        HttpServer server = open(Transport.TCP.settings(), (request, reply) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            // Half of the handlers ask for disconnects, so that a watcher reads ahead.
            if (request.path().endsWith("0")) {
                reply.onClientGone(() -> {});
            }
            atOnce.decrementAndGet();
            reply.respond(200, HttpHeaders.none(), request.path().getBytes(StandardCharsets.UTF_8));
        });
        try (var client = RawClient.of(server)) {
            var sending = Thread.ofVirtual().start(() -> sendMany(client, server));
            for (int i = 0; i < 10_000; i++) {
                assertThat(client.answer().body()).isEqualTo("/" + i);
            }
            assertThat(client.rest()).isEmpty();
            sending.join();
        }
        assertThat(most.get()).isEqualTo(1);
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
    }

    private static void sendMany(RawClient client, HttpServer server) {
        try {
            var all = new StringBuilder();
            for (int i = 0; i < 10_000; i++) {
                all.append(Requests.get(server, "/" + i));
            }
            client.send(all.toString()).endSending();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
