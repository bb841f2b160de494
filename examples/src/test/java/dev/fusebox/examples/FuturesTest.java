package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FuturesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final CountDownLatch testIsOver = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;

    @BeforeEach
    void start_a_server() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/fine", exchange -> answer(exchange, 200, "sunny"));
        server.createContext("/broken", exchange -> answer(exchange, 503, "no idea"));
        server.createContext("/slow-body", this::beginAnswerAndHang);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop_the_server() {
        testIsOver.countDown();
        server.stop(0);
        threads.close();
    }

    @Test
    void response_is_printed() throws Exception {
        assertThat(Printed.linesOf(out -> Futures.run(out, address("/fine"), LONG)))
                .containsExactly("200 sunny");
    }

    @Test
    void server_errors_are_delivered_and_open_breaker() throws Exception {
        try (var futures = new Futures(LONG)) {
            for (int call = 0; call < 5; call++) {
                assertThat(fetch(futures, "/broken")).isEqualTo("503 no idea");
            }
            assertThat(futures.breaker().state()).isEqualTo(State.OPEN);
            assertThatThrownBy(() -> fetch(futures, "/fine"))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(CallRejectedException.class);
        }
    }

    @Test
    void timeout_covers_endless_body() {
        try (var futures = new Futures(SHORT)) {
            assertThatThrownBy(() -> fetch(futures, "/slow-body"))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class)
                    .hasMessageContaining("no result within 200 ms");
            assertThat(futures.breaker().snapshot().counts().failures()).isEqualTo(1);
        }
    }

    private String fetch(Futures futures, String path) throws Exception {
        return futures.fetch(address(path)).get(30, TimeUnit.SECONDS);
    }

    private URI address(String path) {
        InetSocketAddress at = server.getAddress();
        return URI.create("http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + path);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private void beginAnswerAndHang(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 1_000);
        exchange.getResponseBody().write('s');
        exchange.getResponseBody().flush();
        try (exchange) {
            assertThat(testIsOver.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
