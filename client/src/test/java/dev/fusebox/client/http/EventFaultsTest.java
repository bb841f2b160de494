package dev.fusebox.client.http;

import static dev.fusebox.client.http.RawSession.requestsOf;
import static dev.fusebox.client.http.RawSession.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Faulty event streams.
@Timeout(120)
class EventFaultsTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}";
    private static final String NO_STREAM = RawServer.plain(405, "text/plain", "");

    // ---- F45

    @Test
    void f45_response_is_returned_before_the_stream_ends() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.write(RawServer.EVENTS + RawServer.chunk(RawServer.data(request == null ? "" : request.result(DONE))));
            if (wire.awaitClosed()) {
                over.countDown();
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            awaitUninterrupted(over);
        }
    }

    @Test
    void f45_connection_is_reused_after_its_stream_has_ended() throws IOException {
        RawServer.Answers events = request ->
                RawServer.EVENTS + RawServer.chunk(RawServer.data(request.result(DONE))) + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(events);
                RecordingClient client = RecordingClient.at(server.uri())) {
            for (int i = 0; i < 50; i++) {
                client.answer("tools/call", ECHO);
            }
            // On a busy machine a connection is closed now and then.
            assertThat(server.accepted).hasValueLessThan(10);
        }
    }

    @Test
    void f45_connection_is_reused_if_its_stream_ends_shortly_after_the_response() throws IOException {
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                wire.write(RawServer.EVENTS + RawServer.chunk(RawServer.data(request.result(DONE))));
                wire.write(RawServer.LAST_CHUNK);
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            for (int i = 0; i < 200; i++) {
                client.answer("tools/call", ECHO);
            }
            assertThat(server.accepted).hasValueLessThan(50);
        }
    }

    @Test
    void f45_comments_do_not_extend_the_deadline() throws IOException {
        RecordingClient[] one = new RecordingClient[1];
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(RawServer.EVENTS);
            while (true) {
                wire.write(RawServer.chunk(": still here\n\n"));
                pause(one[0], 50);
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            one[0] = client;
            CallFailure failure = RecordingClient.failed(client.call("tools/call", ECHO, Duration.ofSeconds(1)));

            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    private static void pause(RecordingClient client, int millis) throws IOException {
        try {
            client.platform.pause(Duration.ofMillis(millis));
        } catch (InterruptedException over) {
            throw new IOException(over);
        }
    }

    @Test
    void f45_event_over_the_limit_ends_the_call() throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(RawServer.EVENTS_TO_END + "data: ");
            String step = "x".repeat(1 << 20);
            for (int i = 0; i < 64; i++) {
                wire.write(step);
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
            assertThat(failure.delivery()).as("it may be done").isEqualTo(Delivery.UNKNOWN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void f45_events_may_have_any_kind_of_line_end(String end) throws IOException {
        RawServer.Answers events = request -> {
            String split = request.result(DONE).replace("\"result\"", end + "data:\"result\"");
            return RawServer.EVENTS
                    + RawServer.chunk("event: message" + end + "data: " + split + end + end)
                    + RawServer.LAST_CHUNK;
        };
        try (RawServer server = RawServer.answering(events);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", ECHO)).contains(DONE).doesNotContain("\n", "\r");
        }
    }

    @Test
    void f45_incomplete_event_is_discarded_and_leaves_the_outcome_unknown() throws IOException {
        RawServer.Answers events = request ->
                RawServer.EVENTS + RawServer.chunk("data: " + request.result(DONE) + "\n") + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(events);
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    @Test
    void f45_stream_with_ids_is_resumed_after_the_delay_of_the_server() throws IOException {
        AtomicInteger times = new AtomicInteger();
        String[] answer = new String[1];
        RawServer.Answers calls = request -> {
            if (request.rpcMethod().equals("tools/call")) {
                answer[0] = request.result(DONE);
                return RawServer.EVENTS + RawServer.chunk("id: a-0\nretry: 300\ndata:\n\n") + RawServer.LAST_CHUNK;
            }
            int time = times.incrementAndGet();
            String event = time < 3 ? "id: a-" + time + "\ndata:\n\n" : RawServer.data(answer[0]);
            return RawServer.EVENTS + RawServer.chunk(event) + RawServer.LAST_CHUNK;
        };
        try (RawServer server = session(calls);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            long start = System.nanoTime();

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
            assertThat(requestsOf(server, "GET").stream()
                            .map(it -> it.header("last-event-id"))
                            .filter(it -> !it.isEmpty()))
                    .containsExactly("a-0", "a-1", "a-2");
            assertThat(requestsOf(server, "tools/call")).hasSize(1);
        }
    }

    @Test
    void f45_stream_that_cannot_be_resumed_leaves_the_outcome_unknown() throws IOException {
        RawServer.Answers calls = request -> request.rpcMethod().equals("tools/call")
                ? RawServer.EVENTS + RawServer.chunk("id: a\nretry: 1\ndata:\n\n") + RawServer.LAST_CHUNK
                : NO_STREAM;
        try (RawServer server = session(calls);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();

            assertThat(client.failure("tools/call", ECHO).delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(requestsOf(server, "tools/call")).hasSize(1);
        }
    }

    @Test
    void f45_stream_with_zero_retry_delay_is_resumed_with_the_minimum_delay() throws IOException {
        AtomicInteger times = new AtomicInteger();
        RawServer.Answers calls = request -> RawServer.EVENTS
                + RawServer.chunk("id: a-" + times.incrementAndGet() + "\nretry: 0\ndata:\n\n")
                + RawServer.LAST_CHUNK;
        try (RawServer server = session(calls);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            CallFailure failure = RecordingClient.failed(client.call("tools/call", ECHO, Duration.ofSeconds(1)));

            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            // One call, and at most ten times a second.
            assertThat(times).hasValueBetween(2, 11);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void f45_delay_that_the_server_asks_for_is_limited() throws IOException {
        byte[] stream = "retry: 999999999\ndata: x\n\n".getBytes(StandardCharsets.UTF_8);
        SseReader events = new SseReader(new ByteArrayInputStream(stream), 1_000);
        assertThat(events.next()).isNotNull();
        assertThat(events.retryMillis()).isEqualTo(30_000);
    }
}
