package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of streams of server-sent events from the client's side.
@Timeout(60)
class EventStreamTest {
    private @Nullable HttpServer opened;

    private HttpServer open(Transport transport, HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.open(transport.settings(), handler, Platform.system());
        opened = server;
        return server;
    }

    @AfterEach
    void closeServer() {
        if (opened != null) {
            opened.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void connection_is_reused_after_the_end_of_a_stream(Transport transport) throws Exception {
        HttpServer server = open(transport, (request, reply) -> {
            try (EventStream stream = reply.stream(200, HttpHeaders.of("Mcp-Session-Id", "s1"))) {
                stream.retry(1500);
                stream.event("1", new byte[0]);
                stream.event(null, bytes("{\"a\":\"ü\"}"));
                stream.named("endpoint", bytes("/messages?id=1"));
                stream.comment();
            }
        });
        try (var client = RawClient.of(server)) {
            for (int i = 0; i < 3; i++) {
                var answer = client.send(Requests.get(server, "/")).answer();

                assertThat(answer.headers())
                        .containsEntry("content-type", "text/event-stream")
                        .containsEntry("x-accel-buffering", "no")
                        .containsEntry("mcp-session-id", "s1");
                assertThat(answer.body()).isEqualTo("""
                        retry: 1500

                        id: 1
                        data:\s

                        data: {"a":"ü"}

                        event: endpoint
                        data: /messages?id=1

                        :

                        """);
            }
        }
    }

    @Test
    void every_kind_of_line_end_in_the_data_starts_a_new_data_line() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
                stream.event(null, bytes("a\nb\r\nc\rd\n"));
            }
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().body())
                    .isEqualTo("data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
        }
    }

    @Test
    void field_with_a_line_end_is_rejected_as_a_bug() throws Exception {
        var thrown = new AtomicReference<@Nullable Throwable>();
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            // Before the end of the stream, for which the client waits.
            try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
                thrown.set(catchThrowable(() -> stream.event("1\ndata: forged", new byte[0])));
            }
        });
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/")).answer().body()).isEmpty();
        }
        assertThat(thrown.get()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HttpHeaders.of("X", "a\r\nSet-Cookie: b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void http_1_0_client_gets_events_without_chunks() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
                stream.event("7", bytes("x"));
            }
        });
        try (var client = RawClient.of(server)) {
            String rest = client.send(Requests.with(server, "GET / HTTP/1.0")).rest();

            assertThat(rest).doesNotContain("chunked").endsWith("\r\n\r\nid: 7\ndata: x\n\n");
        }
    }

    @Test
    void stream_in_response_to_head_sends_only_the_head() throws Exception {
        var queued = new AtomicReference<@Nullable Boolean>();
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
                queued.set(stream.comment());
            }
        });
        try (var client = RawClient.of(server)) {
            String rest = client.send(Requests.with(server, "HEAD / HTTP/1.1", "Connection: close"))
                    .rest();

            assertThat(rest).contains("text/event-stream").endsWith("\r\n\r\n");
            assertThat(queued.get()).isFalse();
        }
    }

    @Test
    void stream_outlives_its_handler_and_sends_each_event_at_once() throws Exception {
        var streams = new AtomicReference<@Nullable EventStream>();
        var returned = new CountDownLatch(1);
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            streams.set(reply.stream(200, HttpHeaders.none()));
            returned.countDown();
        });
        try (var client = RawClient.of(server)) {
            client.send(Requests.get(server, "/"));
            assertThat(client.head()).contains("200 OK");
            returned.await();
            EventStream stream = Objects.requireNonNull(streams.get());
            for (int i = 0; i < 1000; i++) {
                assertThat(stream.event(Integer.toString(i), bytes("x"))).isTrue();
                assertThat(client.chunk()).isEqualTo("id: " + i + "\ndata: x\n\n");
            }
            stream.close();
            stream.close();
            assertThat(stream.comment()).isFalse();
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void events_of_many_threads_are_complete_and_in_order_per_thread() throws Exception {
        HttpServer server = open(Transport.TCP, EventStreamTest::sendFromManyThreads);
        try (var client = RawClient.of(server)) {
            String body = client.send(Requests.get(server, "/")).answer().body();
            List<List<Integer>> seen = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                seen.add(new ArrayList<>());
            }
            for (String event : body.strip().split("\n\n", -1)) {
                String[] parts = event.replace("data: ", "").split(" ", -1);
                seen.get(Integer.parseInt(parts[0])).add(Integer.valueOf(parts[1]));
            }
            assertThat(seen)
                    .allSatisfy(numbers -> assertThat(numbers).hasSize(500).isSorted());
        }
    }

    private static void sendFromManyThreads(HttpRequest request, HttpReply reply) throws InterruptedException {
        try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
            ParallelTasks.run(8, thread -> {
                for (int i = 0; i < 500; i++) {
                    stream.event(null, bytes(thread + " " + i));
                }
            });
        }
    }

    @Test
    void successive_streams_on_one_connection_never_mix() throws Exception {
        HttpServer server = open(Transport.TCP, (request, reply) -> {
            EventStream stream = reply.stream(200, HttpHeaders.none());
            // Half of the streams end after their handler, on another thread.
            if (request.path().endsWith("1")) {
                Thread.ofVirtual().start(() -> {
                    stream.event(null, bytes(request.path()));
                    stream.close();
                });
            } else {
                stream.event(null, bytes(request.path()));
                stream.close();
            }
        });
        try (var client = RawClient.of(server)) {
            for (int i = 0; i < 2000; i++) {
                String path = "/" + i + "/" + i % 2;
                assertThat(client.send(Requests.get(server, path)).answer().body())
                        .isEqualTo("data: " + path + "\n\n");
            }
        }
        eventually(
                "no connection is open", () -> assertThat(server.connections()).isEqualTo(0));
    }
}
